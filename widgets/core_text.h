// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/session/report_translation.h"

#include <QString>

#include <string>

namespace ridgepoint {

/// A sentence of the core in the window's language: its pattern translated under the context "core", its figures filled in.
QString messageText(const Message &message);
/// What the core says in plain English (core/session/said.h) in the window's language, sentence by sentence; what is of no
/// known pattern stays as it is.
QString coreText(const std::string &english);
/// Reports in the window's language; none where that is English.
ReportTranslation reportTranslation();

} // namespace ridgepoint
