// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/report_translation.h"

#include "core/session/tables.h"

#include <cctype>

namespace ridgepoint {

namespace {

/// Without the backslashes of escapeMarkdown().
std::string unescaped(std::string_view text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size() && std::ispunct(static_cast<unsigned char>(text[i + 1])) != 0)
            ++i;
        plain += text[i];
    }
    return plain;
}

class Translator {
public:
    explicit Translator(const ReportTranslation &translate) : m_translate(translate) {}

    std::string text(std::string_view markdown) const
    {
        const std::string plain = unescaped(markdown), other = m_translate(plain);
        return other == plain ? std::string(markdown) : escapeMarkdown(other);
    }

    /// Cells are parted by bars that no backslash stands before.
    std::string row(std::string_view line) const
    {
        std::string out = "|";
        for (std::size_t from = 1, at = 1; at < line.size(); ++at) {
            if (line[at] == '\\') {
                ++at;
                continue;
            }
            if (line[at] != '|')
                continue;
            std::string_view cell = line.substr(from, at - from);
            while (!cell.empty() && cell.front() == ' ')
                cell.remove_prefix(1);
            while (!cell.empty() && cell.back() == ' ')
                cell.remove_suffix(1);
            out += " " + (cell.empty() ? std::string() : text(cell)) + " |";
            from = at + 1;
        }
        return out;
    }

    std::string line(std::string_view line) const
    {
        if (line.empty() || line.starts_with("    "))
            return std::string(line);
        if (line.starts_with("| ---") || line.starts_with("| :--"))
            return std::string(line);
        if (line.front() == '|')
            return row(line);
        if (line.front() == '#') {
            const std::size_t title = line.find_first_not_of("# ");
            return title == std::string_view::npos ? std::string(line) : std::string(line.substr(0, title)) + text(line.substr(title));
        }
        if (line.starts_with("- "))
            return "- " + text(line.substr(2));
        if (line.starts_with("![")) {
            const std::size_t end = line.rfind("](");
            return end == std::string_view::npos ? std::string(line) : "![" + text(line.substr(2, end - 2)) + std::string(line.substr(end));
        }
        if (line.starts_with("**")) {
            const std::size_t end = line.find("**", 2);
            if (end != std::string_view::npos && end + 3 <= line.size())
                return "**" + text(line.substr(2, end - 2)) + "** " + text(line.substr(end + 3));
        }
        return text(line);
    }

private:
    const ReportTranslation &m_translate;
};

} // namespace

std::string translatedReport(const std::string &markdown, const ReportTranslation &translate)
{
    if (!translate)
        return markdown;
    const Translator translator(translate);
    std::string out;
    for (std::size_t from = 0; from < markdown.size();) {
        const std::size_t end = std::min(markdown.find('\n', from), markdown.size());
        out += translator.line(std::string_view(markdown).substr(from, end - from));
        if (end < markdown.size())
            out += '\n';
        from = end + 1;
    }
    return out;
}

} // namespace ridgepoint
