// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace ridgepoint {

/// Gives a text of the report in another language; what it does not know it gives back as it is. None: English.
using ReportTranslation = std::function<std::string(const std::string &english)>;

/// The Markdown of reportMarkdown() in another language: each heading, paragraph, bullet, table cell and caption is given to
/// `translate` as plain text. Code, the addresses of pictures and what comes back unchanged stay as they are.
std::string translatedReport(const std::string &markdown, const ReportTranslation &translate);

} // namespace ridgepoint
