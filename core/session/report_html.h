// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/report.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgepoint {

/// How a report's Markdown becomes HTML.
struct HtmlOptions {
    /// The address of a picture by its file name: a "data:" URL for a file that stands alone; empty: as it is named.
    std::function<std::string(const std::string &fileName)> address;
    /// For QTextDocument, which lays out the pages of the PDF: its own style, pictures of `pictureWidth` pixels, no navigation
    /// by links.
    bool paper = false;
    int pictureWidth = 480;
    /// With `paper`: page numbers of the headings of the contents, in their order; empty: none yet.
    std::vector<int> pages;
    /// For the program's own words around the report; its Markdown is in that language already.
    ReportTranslation translate;
};

/// The report as HTML, made from its Markdown (the subset that reportMarkdown() writes: headings, paragraphs, lists, tables,
/// indented code, pictures, bold, escapes) with a list of contents of the headings of the second and third level. Everything else
/// stands as text. Deterministic.
std::string reportToHtml(std::string_view markdown, const HtmlOptions &options);

/// Text and level (2, 3) of the headings that the contents list, in order.
std::vector<std::pair<std::string, int>> reportHeadings(std::string_view markdown);

/// The report as one file that needs no other: the pictures, which must lie in `folder`, are within. Throws Error (Failure) when one
/// cannot be read.
std::string reportHtml(const Session &session, const std::filesystem::path &folder, const std::vector<ReportPicture> &pictures,
                       const Catalog *catalog = nullptr, const ReportTranslation &translate = {});

/// Bytes as base64 (RFC 4648, with padding).
std::string base64(std::string_view bytes);

} // namespace ridgepoint
