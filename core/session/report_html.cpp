// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/report_html.h"

#include "core/base/atomic_file.h"

#include <fmt/format.h>

namespace ridgepoint {

namespace {

constexpr std::string_view kScreenStyle = R"(
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; color: #1c2430; background: #fff;
  max-width: 76rem; margin: 0 auto; padding: 1.5rem 1.5rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.35rem; line-height: 1.3; margin: 3rem 0 1rem; padding-top: .75rem; border-top: 2px solid #2f5d8a; }
h3 { font-size: 1.1rem; margin: 2rem 0 .6rem; }
h4 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p, li { max-width: 60rem; }
nav { background: #f4f6f9; border: 1px solid #d8dee6; border-radius: 6px; padding: .75rem 1.25rem; margin: 1.5rem 0; }
nav p { font-weight: 600; margin: 0 0 .25rem; }
nav ul { list-style: none; margin: 0; padding: 0; columns: 22rem; column-gap: 2rem; }
nav li.deep { padding-left: 1.25rem; font-size: .9rem; }
a { color: #1d5a94; text-decoration: none; }
a:hover, a:focus { text-decoration: underline; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid #e1e6ec; }
thead th { border-bottom: 2px solid #9aa7b5; vertical-align: bottom; background: #f4f6f9; }
.figure { text-align: right; white-space: nowrap; }
thead .figure { white-space: normal; }
figure { margin: 1.5rem 0; }
figure img { width: 60rem; max-width: 100%; height: auto; border: 1px solid #e1e6ec; }
figcaption { color: #4a5665; font-size: .9rem; }
pre { background: #f4f6f9; border: 1px solid #d8dee6; padding: .75rem 1rem; overflow-x: auto; white-space: pre-wrap; font-size: .85rem; }
@media print {
  @page { size: A4 landscape; margin: 14mm; }
  body { font-size: 9.5pt; max-width: none; padding: 0; }
  h2 { break-before: page; margin-top: 0; }
  h2, h3, h4 { break-after: avoid; }
  tr, figure, pre { break-inside: avoid; }
  thead { display: table-header-group; }
  .table { overflow: visible; }
  table { font-size: 7.5pt; }
  figure img { width: auto; max-height: 150mm; }
  a { color: inherit; }
}
)";

// QTextDocument knows a part of CSS 2.1; of its lengths, margins take px alone.
constexpr std::string_view kPaperStyle = R"(
body { color: #1c2430; }
h1 { font-size: 20pt; margin-top: 0px; margin-bottom: 10px; }
h2 { font-size: 14pt; color: #1d4570; margin-top: 18px; margin-bottom: 8px; }
h3 { font-size: 11pt; margin-top: 16px; margin-bottom: 6px; }
h4 { font-size: 9.5pt; margin-top: 12px; margin-bottom: 5px; }
p { margin-top: 6px; margin-bottom: 6px; }
ul { margin-top: 4px; margin-bottom: 6px; }
th { background-color: #e9eef4; font-weight: 600; }
)";

std::string escapeHtml(std::string_view text)
{
    std::string escaped;
    for (const char c : text) {
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        default:
            escaped += c;
        }
    }
    return escaped;
}

/// A line's text without Markdown's escapes; with `html`, **bold** becomes an element and the rest is escaped.
std::string inlineText(std::string_view text, bool html)
{
    std::string out, plain;
    bool bold = false;
    const auto flush = [&] {
        out += html ? escapeHtml(plain) : plain;
        plain.clear();
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) {
            plain += text[++i];
        } else if (text.substr(i, 2) == "**") {
            flush();
            bold = !bold;
            if (html)
                out += bold ? "<b>" : "</b>";
            ++i;
        } else {
            plain += text[i];
        }
    }
    flush();
    if (bold && html)
        out += "</b>";
    return out;
}

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return lines;
}

/// The cells of "| a | b |"; a bar behind a backslash is part of its cell.
std::vector<std::string> cellsOf(std::string_view line)
{
    std::vector<std::string> cells;
    std::string cell;
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i] == '\\' && i + 1 < line.size()) {
            cell += line[i];
            cell += line[++i];
        } else if (line[i] == '|') {
            const std::size_t first = cell.find_first_not_of(' ');
            const std::size_t last = cell.find_last_not_of(' ');
            cells.push_back(first == std::string::npos ? std::string() : cell.substr(first, last - first + 1));
            cell.clear();
        } else {
            cell += line[i];
        }
    }
    return cells;
}

int headingLevel(std::string_view line)
{
    const std::size_t marks = line.find_first_not_of('#');
    return marks != std::string_view::npos && marks >= 1 && marks <= 4 && line[marks] == ' ' ? static_cast<int>(marks) : 0;
}

/// File name of "![caption](name)", its percent signs decoded; empty: no picture.
std::string pictureOf(std::string_view line)
{
    const std::size_t open = line.rfind("](");
    if (!line.starts_with("![") || !line.ends_with(")") || open == std::string_view::npos)
        return {};
    const std::string_view target = line.substr(open + 2, line.size() - open - 3);
    std::string name;
    const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; };
    for (std::size_t i = 0; i < target.size(); ++i) {
        if (target[i] == '%' && i + 2 < target.size() && digit(target[i + 1]) >= 0 && digit(target[i + 2]) >= 0) {
            name += static_cast<char>(digit(target[i + 1]) * 16 + digit(target[i + 2]));
            i += 2;
        } else {
            name += target[i];
        }
    }
    return name;
}

/// The table whose lines are `lines`: header, alignments, rows.
std::string tableHtml(const std::vector<std::string_view> &lines, bool paper)
{
    const std::vector<std::string> header = cellsOf(lines.front());
    std::vector<bool> figure;
    for (const std::string &cell : cellsOf(lines.size() > 1 ? lines[1] : std::string_view()))
        figure.push_back(cell.ends_with(":"));
    figure.resize(header.size());
    const bool wide = paper && header.size() > 12;
    std::string html = paper ? std::string("<table cellspacing=\"0\" cellpadding=\"") + (wide ? "2" : "4") + "\" border=\"1\" style=\"border-style: solid; border-color: "
                               "#c5ced8; border-collapse: collapse;\">\n<thead>\n"
                             : "<div class=\"table\"><table>\n<thead>\n";
    const auto row = [&](std::string_view line, const char *element) {
        const std::vector<std::string> cells = cellsOf(line);
        html += "<tr>";
        for (std::size_t i = 0; i < header.size(); ++i)
            html += fmt::format("<{}{}{}>{}</{}>", element, wide ? " style=\"font-size: 6.5pt\"" : "",
                                !figure[i] ? paper ? " align=\"left\"" : ""
                                : paper    ? " align=\"right\""
                                           : " class=\"figure\"",
                                i < cells.size() ? inlineText(cells[i], true) : std::string(), element);
        html += "</tr>\n";
    };
    row(lines.front(), "th");
    html += "</thead>\n<tbody>\n";
    for (std::size_t i = 2; i < lines.size(); ++i)
        row(lines[i], "td");
    return html + (paper ? "</tbody>\n</table>\n" : "</tbody>\n</table></div>\n");
}

/// One of the program's own words in the report's language.
std::string own(const HtmlOptions &options, const char *english)
{
    return options.translate ? options.translate(english) : std::string(english);
}

std::string contents(std::string_view markdown, const HtmlOptions &options)
{
    const std::string title = escapeHtml(own(options, "Contents"));
    const auto headings = reportHeadings(markdown);
    std::string html;
    if (options.paper) {
        html = "<p><b>" + title + "</b></p>\n<table cellspacing=\"0\" cellpadding=\"1\" border=\"0\" width=\"100%\">\n";
        for (std::size_t i = 0; i < headings.size(); ++i)
            html += fmt::format("<tr><td style=\"padding-left: {}pt\">{}</td><td align=\"right\">{}</td></tr>\n",
                                headings[i].second == 2 ? 0 : 14, escapeHtml(headings[i].first),
                                i < options.pages.size() ? std::to_string(options.pages[i]) : std::string());
        return html + "</table>\n";
    }
    html = fmt::format("<nav aria-label=\"{0}\">\n<p>{0}</p>\n<ul>\n", title);
    for (std::size_t i = 0; i < headings.size(); ++i)
        html += fmt::format("<li{}><a href=\"#part-{}\">{}</a></li>\n", headings[i].second == 2 ? "" : " class=\"deep\"", i + 1,
                            escapeHtml(headings[i].first));
    return html + "</ul>\n</nav>\n";
}

} // namespace

std::vector<std::pair<std::string, int>> reportHeadings(std::string_view markdown)
{
    std::vector<std::pair<std::string, int>> headings;
    for (const std::string_view line : linesOf(markdown))
        if (const int level = headingLevel(line); level == 2 || level == 3)
            headings.emplace_back(inlineText(line.substr(static_cast<std::size_t>(level) + 1), false), level);
    return headings;
}

std::string reportToHtml(std::string_view markdown, const HtmlOptions &options)
{
    const std::vector<std::string_view> lines = linesOf(markdown);
    std::string body, title, caption;
    int part = 0;
    const int parts = static_cast<int>(reportHeadings(markdown).size()); // the last one, the words, needs no page of its own
    bool listed = false;
    // The lines from `i` on that `holds` holds for; `i` is left on the first one after them.
    const auto block = [&lines](std::size_t &i, const auto &holds) {
        std::vector<std::string_view> taken;
        for (; i < lines.size() && holds(lines[i]); ++i)
            taken.push_back(lines[i]);
        return taken;
    };
    for (std::size_t i = 0; i < lines.size();) {
        const std::string_view line = lines[i];
        if (line.empty()) {
            ++i;
        } else if (const int level = headingLevel(line)) {
            const std::string_view text = line.substr(static_cast<std::size_t>(level) + 1);
            if (level == 1)
                title = inlineText(text, false);
            if (level == 2 && !std::exchange(listed, true)) // between the opening words and the first run
                body += contents(markdown, options);
            std::string attributes;
            if (level == 2 || level == 3)
                attributes = options.paper ? (level == 2 && part + 1 < parts ? " style=\"page-break-before: always\"" : "")
                                           : fmt::format(" id=\"part-{}\"", part + 1);
            part += level == 2 || level == 3;
            body += fmt::format("<h{}{}>{}</h{}>\n", level, attributes, inlineText(text, true), level);
            ++i;
        } else if (line.front() == '|') {
            body += tableHtml(block(i, [](std::string_view l) { return l.starts_with('|'); }), options.paper);
        } else if (line.starts_with("- ")) {
            body += "<ul>\n";
            for (const std::string_view item : block(i, [](std::string_view l) { return l.starts_with("- "); }))
                body += "<li>" + inlineText(item.substr(2), true) + "</li>\n";
            body += "</ul>\n";
        } else if (line.starts_with("    ")) {
            std::string code;
            for (const std::string_view l : block(i, [](std::string_view l) { return l.starts_with("    "); }))
                code += escapeHtml(l.substr(4)) + "\n";
            body += "<pre>" + code + "</pre>\n";
        } else if (const std::string name = pictureOf(line); !name.empty()) {
            caption = inlineText(line.substr(2, line.rfind("](") - 2), true);
            const std::string address = escapeHtml(options.address ? options.address(name) : name);
            body += options.paper
                        ? fmt::format("<p><img src=\"{}\" width=\"{}\"></p>\n<p>{}</p>\n", address, options.pictureWidth, caption)
                        : fmt::format("<figure>\n<img src=\"{}\" alt=\"{}\">\n<figcaption>{}</figcaption>\n</figure>\n", address,
                                      caption, caption);
            ++i;
        } else {
            const std::string text = inlineText(line, true);
            if (text != caption) // Markdown repeats a caption below its picture; the picture has it already
                body += "<p>" + text + "</p>\n";
            caption.clear();
            ++i;
        }
    }
    return fmt::format("<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
                       escapeHtml(own(options, "en")), escapeHtml(title), options.paper ? kPaperStyle : kScreenStyle, body);
}

std::string reportHtml(const Session &session, const std::filesystem::path &folder, const std::vector<ReportPicture> &pictures,
                       const Catalog *catalog, const ReportTranslation &translate)
{
    HtmlOptions options;
    options.translate = translate;
    options.address = [&folder](const std::string &name) {
        return "data:image/png;base64," + base64(readWholeFile(folder / name));
    };
    return reportToHtml(translatedReport(reportMarkdown(session, pictures, catalog), translate), options);
}

std::string base64(std::string_view bytes)
{
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        unsigned group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            text += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

} // namespace ridgepoint
