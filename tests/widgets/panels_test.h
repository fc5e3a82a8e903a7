// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/catalog.h"
#include "tests/widgets/charts_fixture.h"

#include <QApplication>
#include <QLocale>
#include <QtTest>

#include <memory>

namespace ridgepoint::fixture {

inline std::shared_ptr<const Catalog> shippedCatalog()
{
    static const auto catalog = std::make_shared<const Catalog>(Catalog::loadDefault());
    return catalog;
}

/// A widget of `parent` by name; fails the test when it is not there.
template <typename Widget>
Widget *child(const QObject &parent, const QString &name)
{
    auto *found = parent.findChild<Widget *>(name);
    if (!found)
        qFatal("no widget %s", qPrintable(name));
    return found;
}

} // namespace ridgepoint::fixture
