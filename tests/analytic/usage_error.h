// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QString>

/// The sentence of the Error (Usage) that `call` throws; empty when it throws none or one of another kind.
template <class Call>
QString usageErrorOf(Call call)
{
    try {
        call();
    } catch (const ridgepoint::Error &error) {
        if (error.kind() == ridgepoint::ErrorKind::Usage)
            return QString::fromUtf8(error.what());
    }
    return {};
}
