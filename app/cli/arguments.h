// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/plan.h"

#include <cstdint>
#include <string>
#include <vector>

/// Readers of flag values. Each throws Error (Usage) that names the flag, the value and what is wanted.
namespace ridgepoint::arguments {

/// One finite number, "270e9" or "8e-3" alike, within [least, most]. `unit`: what it counts and an example, for the sentence.
double number(const std::string &flag, const std::string &text, double least, double most, const std::string &unit);
/// One whole number within [least, most].
std::int64_t wholeNumber(const std::string &flag, const std::string &text, std::int64_t least, std::int64_t most);
/// "1,4,16": whole numbers, each within [least, most], none twice.
std::vector<std::int64_t> wholeNumbers(const std::string &flag, const std::string &text, std::int64_t least,
                                       std::int64_t most);
DType dtype(const std::string &text);
/// "bf16", or several as "bf16,fp32", none twice, in the order given.
std::vector<DType> dtypes(const std::string &text);
/// "a,b,c": names, none empty and none twice.
std::vector<std::string> names(const std::string &flag, const std::string &text);
Accounting accounting(const std::string &text);
/// "eager", or several as "eager,graph", none twice, in the order given.
std::vector<DecodeMode> modes(const std::string &text);
/// "all", or a list of 1, 2, 3.
std::vector<TtftMethod> methods(const std::string &text);

enum class Format { Table, Json, Csv };
Format format(const std::string &text);

} // namespace ridgepoint::arguments
