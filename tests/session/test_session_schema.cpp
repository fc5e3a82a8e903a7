// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace ridgepoint;

/// docs/session.schema.json against the sessions that are shipped and those that the program writes.
class TestSessionSchema : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void shippedSessionsFollowIt_data();
    void shippedSessionsFollowIt();
    void savedSessionsFollowIt_data();
    void savedSessionsFollowIt();
    void itRefusesWhatTheProgramRefuses_data();
    void itRefusesWhatTheProgramRefuses();

private:
    QStringList faultsOf(const QByteArray &text) const;

    QJsonObject m_schema;
};

namespace {

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// As much of JSON Schema as the file uses; a keyword beyond that is a fault, so that none goes unchecked.
class Checker {
public:
    explicit Checker(const QJsonObject &root) : m_root(root) {}

    void check(const QJsonValue &value, const QJsonObject &schema, const QString &path)
    {
        if (schema.contains("$ref")) {
            const QString name = schema["$ref"].toString().section('/', 2);
            const QJsonValue target = m_root["definitions"].toObject()[name];
            if (!target.isObject())
                fault(path, "refers to '" + name + "', which is not defined");
            else
                check(value, target.toObject(), path);
            return;
        }
        for (const QString &key : schema.keys()) {
            const QJsonValue rule = schema[key];
            if (key == "type") {
                const QJsonArray types = rule.isArray() ? rule.toArray() : QJsonArray{rule};
                bool fits = false;
                for (const QJsonValue &type : types)
                    fits = fits || isOf(value, type.toString());
                if (!fits)
                    fault(path, "is of another type");
            } else if (key == "const") {
                if (value != rule)
                    fault(path, "has another value");
            } else if (key == "enum") {
                if (!rule.toArray().contains(value))
                    fault(path, "is no such name");
            } else if (key == "minimum") {
                if (value.isDouble() && value.toDouble() < rule.toDouble())
                    fault(path, "is too small");
            } else if (key == "maximum") {
                if (value.isDouble() && value.toDouble() > rule.toDouble())
                    fault(path, "is too large");
            } else if (key == "minItems") {
                if (value.isArray() && value.toArray().size() < rule.toInt())
                    fault(path, "is too short");
            } else if (key == "maxItems") {
                if (value.isArray() && value.toArray().size() > rule.toInt())
                    fault(path, "is too long");
            } else if (key == "items") {
                const QJsonArray array = value.toArray();
                for (qsizetype i = 0; i < array.size(); ++i)
                    check(array[i], rule.toObject(), path + '[' + QString::number(i) + ']');
            } else if (key == "required") {
                for (const QJsonValue &name : rule.toArray())
                    if (value.isObject() && !value.toObject().contains(name.toString()))
                        fault(path, "lacks '" + name.toString() + "'");
            } else if (key == "properties" || key == "additionalProperties") {
                if (value.isObject())
                    fields(value.toObject(), schema, path);
            } else if (key != "description" && key != "title" && key != "$schema" && key != "definitions") {
                fault(path, "stands under the keyword '" + key + "', which this test does not know");
            }
        }
    }
    const QStringList &faults() const { return m_faults; }

private:
    /// The schema lets unknown fields be; here one is a fault, since the program writes only what the schema names.
    void fields(const QJsonObject &object, const QJsonObject &schema, const QString &path)
    {
        const QJsonObject properties = schema["properties"].toObject();
        for (const QString &name : object.keys()) {
            const QString inside = path + '.' + name;
            if (properties.contains(name))
                check(object[name], properties[name].toObject(), inside);
            else if (schema["additionalProperties"].isObject())
                check(object[name], schema["additionalProperties"].toObject(), inside);
            else
                fault(inside, "is not in the schema");
        }
    }

    static bool isOf(const QJsonValue &value, const QString &type)
    {
        if (type == "integer")
            return value.isDouble() && std::floor(value.toDouble()) == value.toDouble();
        return (type == "object" && value.isObject()) || (type == "array" && value.isArray()) ||
               (type == "string" && value.isString()) || (type == "number" && value.isDouble()) ||
               (type == "boolean" && value.isBool()) || (type == "null" && value.isNull());
    }

    void fault(const QString &path, const QString &what) { m_faults << path + ' ' + what; }

    QJsonObject m_root;
    QStringList m_faults;
};

} // namespace

QStringList TestSessionSchema::faultsOf(const QByteArray &text) const
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(text, &error);
    if (error.error != QJsonParseError::NoError)
        return {error.errorString()};
    Checker checker(m_schema);
    checker.check(document.object(), m_schema, QStringLiteral("session"));
    return checker.faults();
}

void TestSessionSchema::initTestCase()
{
    QJsonParseError error;
    m_schema = QJsonDocument::fromJson(contentOf(RIDGEPOINT_SOURCE_DIR "/docs/session.schema.json"), &error).object();
    QVERIFY2(error.error == QJsonParseError::NoError, qPrintable(error.errorString()));
}

void TestSessionSchema::shippedSessionsFollowIt_data()
{
    QTest::addColumn<QString>("path");
    const QDir folder(RIDGEPOINT_SOURCE_DIR "/resources/samples");
    for (const QString &name : folder.entryList({"*.json"}))
        QTest::addRow("%s", qPrintable(name)) << folder.filePath(name);
    QTest::addRow("made-up GPU") << RIDGEPOINT_SOURCE_DIR "/tests/fixtures/made_up_gpu_session.json";
}

void TestSessionSchema::shippedSessionsFollowIt()
{
    QFETCH(QString, path);
    const QByteArray text = contentOf(path);
    QCOMPARE(faultsOf(text).join('\n'), QString());
    const Session opened = sessionFromJson(text.toStdString(), path.toStdString());
    QCOMPARE(faultsOf(QByteArray::fromStdString(toJson(opened))).join('\n'), QString());
}

void TestSessionSchema::savedSessionsFollowIt_data()
{
    QTest::addColumn<bool>("withRuns");
    QTest::newRow("empty") << false;
    QTest::newRow("every kind of run") << true;
}

void TestSessionSchema::savedSessionsFollowIt()
{
    QFETCH(bool, withRuns);
    QTemporaryDir dir;
    const QString path = dir.filePath("saved.json");
    saveSession(withRuns ? samples::session() : newSession(), path.toStdString());
    QCOMPARE(faultsOf(contentOf(path)).join('\n'), QString());
}

void TestSessionSchema::itRefusesWhatTheProgramRefuses_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::newRow("name") << QByteArray("\"state\":\"done\"") << QByteArray("\"state\":\"finished\"");
    QTest::newRow("type") << QByteArray("\"warmup\":") << QByteArray("\"warmup\":\"x\",\"was\":");
    QTest::newRow("missing") << QByteArray("\"step_s\":") << QByteArray("\"was\":");
    QTest::newRow("negative") << QByteArray("\"peak_bytes\":") << QByteArray("\"peak_bytes\":-1,\"was\":");
    QTest::newRow("fraction") << QByteArray("\"repeats\":") << QByteArray("\"repeats\":1.5,\"was\":");
    QTest::newRow("version") << QByteArray("\"version\":1") << QByteArray("\"version\":2");
}

void TestSessionSchema::itRefusesWhatTheProgramRefuses()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QByteArray text = QByteArray::fromStdString(toJson(samples::session()));
    const qsizetype at = text.lastIndexOf(from);
    QVERIFY(at >= 0);
    text.replace(at, from.size(), to);
    QVERIFY(samples::sentenceOf(ErrorKind::Failure, [&] { sessionFromJson(text.toStdString(), "changed"); }));
    QStringList faults = faultsOf(text);
    faults.removeIf([](const QString &fault) { return fault.endsWith(".was is not in the schema"); });
    QVERIFY(!faults.isEmpty());
}

QTEST_GUILESS_MAIN(TestSessionSchema)
#include "test_session_schema.moc"
