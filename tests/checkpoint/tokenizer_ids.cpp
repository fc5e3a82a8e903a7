// SPDX-License-Identifier: GPL-3.0-or-later
// tokenizer_ids FOLDER: reads one JSON string a line from standard input and answers each with a JSON object: the ids
// of the text, the text decoded from them in one go and as a stream. tests/tools/tokenizer_parity.py drives it.
#include "core/base/error.h"
#include "core/checkpoint/tokenizer.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <string>

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::cerr << "usage: tokenizer_ids FOLDER < STRINGS.jsonl\n";
        return 2;
    }
    try {
        const auto tokenizer = ridgepoint::Tokenizer::open(argv[1]);
        if (!tokenizer) {
            std::cerr << argv[1] << " has no tokenizer.\n";
            return 1;
        }
        for (std::string line; std::getline(std::cin, line);) {
            const auto ids = tokenizer->encode(nlohmann::json::parse(line).get<std::string>());
            ridgepoint::StreamDecoder stream(*tokenizer);
            std::string streamed;
            for (const auto id : ids)
                streamed += stream.push(id);
            streamed += stream.flush();
            std::cout << nlohmann::json{{"ids", ids}, {"text", tokenizer->decode(ids)}, {"streamed", streamed}}.dump()
                      << '\n';
        }
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    return 0;
}
