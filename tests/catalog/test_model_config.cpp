// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/model_shape.h"
#include "core/base/error.h"
#include "core/catalog/model_config.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace ridgepoint;

namespace
{

/// A sound configuration of `family` to change one field of: 30 layers, 8 heads of 64, 4 kv heads.
QJsonObject soundConfig(const QString &architecture)
{
    return {{QStringLiteral("architectures"), QJsonArray{architecture}},
            {QStringLiteral("hidden_size"), 512},
            {QStringLiteral("intermediate_size"), 1024},
            {QStringLiteral("num_hidden_layers"), 30},
            {QStringLiteral("num_attention_heads"), 8},
            {QStringLiteral("num_key_value_heads"), 4},
            {QStringLiteral("head_dim"), 64},
            {QStringLiteral("vocab_size"), 1000},
            {QStringLiteral("query_pre_attn_scalar"), 64}};
}

QJsonObject objectOf(const char *json)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (error.error != QJsonParseError::NoError)
        qFatal("a row of this test is no JSON: %s", json);
    return document.object();
}

/// `base` with the fields of `changes` put in; a field whose new value is the text "<absent>" is taken out.
std::string changed(QJsonObject base, const QJsonObject &changes)
{
    for (auto it = changes.begin(); it != changes.end(); ++it) {
        if (it.value() == QJsonValue(QStringLiteral("<absent>")))
            base.remove(it.key());
        else
            base.insert(it.key(), it.value());
    }
    return QJsonDocument(base).toJson(QJsonDocument::Compact).toStdString();
}

/// The fields of a shape that a row can ask for, as text.
QString fieldOf(const ModelShape &shape, const QString &name)
{
    const auto flag = [](bool value) { return value ? QStringLiteral("true") : QStringLiteral("false"); };
    if (name == QLatin1String("family"))
        return QString::fromStdString(std::string(familyName(shape.family)));
    if (name == QLatin1String("kvHeads"))
        return QString::number(shape.kvHeads);
    if (name == QLatin1String("headDim"))
        return QString::number(shape.headDim);
    if (name == QLatin1String("maxPositions"))
        return QString::number(shape.maxPositions);
    if (name == QLatin1String("tied"))
        return flag(shape.tiedEmbeddings);
    if (name == QLatin1String("biases"))
        return flag(shape.qkvBias) + QLatin1Char(' ') + flag(shape.outputBias) + QLatin1Char(' ') + flag(shape.mlpBias);
    if (name == QLatin1String("qkNorm"))
        return flag(shape.qkNorm) + QLatin1Char(' ') + QString::number(shape.normsPerLayer);
    if (name == QLatin1String("window"))
        return QString::number(shape.slidingWindow);
    if (name == QLatin1String("sliding")) {
        QString marks;
        for (std::int64_t layer = 0; layer < shape.layers; ++layer)
            marks += isSlidingLayer(shape, layer) ? QLatin1Char('s') : QLatin1Char('f');
        return marks;
    }
    if (name == QLatin1String("theta"))
        return QString::number(shape.ropeTheta);
    if (name == QLatin1String("localTheta"))
        return QString::number(shape.ropeLocalTheta);
    if (name == QLatin1String("parts"))
        return QStringLiteral("%1 %2 %3 %4")
            .arg(QString::fromStdString(std::string(activationName(shape.activation))), flag(shape.normPlusOne))
            .arg(shape.embeddingScale)
            .arg(shape.queryScalar);
    if (name == QLatin1String("eps"))
        return QString::number(shape.rmsNormEps);
    if (name == QLatin1String("scaling"))
        return QStringLiteral("%1 %2 %3 %4 %5")
            .arg(QString::fromStdString(shape.ropeScalingType))
            .arg(shape.ropeScalingFactor)
            .arg(shape.ropeLowFreqFactor)
            .arg(shape.ropeHighFreqFactor)
            .arg(shape.ropeOriginalMaxPositions);
    if (name == QLatin1String("bos"))
        return QString::number(shape.bosToken);
    if (name == QLatin1String("eos")) {
        QStringList ids;
        for (const std::int64_t id : shape.eosTokens)
            ids << QString::number(id);
        return ids.join(QLatin1Char(','));
    }
    return QStringLiteral("no such field");
}

QString refusal(const std::string &json)
{
    try {
        modelShapeFromConfig(json, "folder/config.json");
    } catch (const Error &error) {
        return (error.kind() == ErrorKind::Failure ? QString() : QStringLiteral("wrong kind: ")) +
               QString::fromUtf8(error.what());
    }
    return QStringLiteral("accepted");
}

constexpr const char *llama = "LlamaForCausalLM";
constexpr const char *mistral = "MistralForCausalLM";
constexpr const char *qwen2 = "Qwen2ForCausalLM";
constexpr const char *qwen3 = "Qwen3ForCausalLM";
constexpr const char *gemma3 = "Gemma3ForCausalLM";

} // namespace

class TestModelConfig : public QObject
{
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void refusesField_data();
    void refusesField();
    void refusesText_data();
    void refusesText();
    void sizesAreTaken();
    void folderGivesItsName_data();
    void folderGivesItsName();
    void folderWithoutConfigIsNamed();
};

void TestModelConfig::reads_data()
{
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QByteArray>("changes");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *architecture, const char *changes, const char *field,
                        const char *expected) {
        QTest::newRow(name) << QString::fromLatin1(architecture) << QByteArray(changes) << QString::fromLatin1(field)
                            << QString::fromLatin1(expected);
    };
    // Families.
    row("family llama", llama, "{}", "family", "llama");
    row("family mistral", mistral, "{}", "family", "mistral");
    row("family qwen2", qwen2, "{}", "family", "qwen2");
    row("family qwen3", qwen3, "{}", "family", "qwen3");
    row("family gemma3", gemma3, "{}", "family", "gemma3");
    row("model_type alone", llama, R"({"architectures":"<absent>","model_type":"gemma3_text"})", "family", "gemma3");
    row("architectures null", llama, R"({"architectures":null,"model_type":"qwen2"})", "family", "qwen2");
    // Heads.
    row("kv heads, llama: absent means heads", llama, R"({"num_key_value_heads":"<absent>"})", "kvHeads", "8");
    row("kv heads, mistral: absent is 8", mistral, R"({"num_key_value_heads":"<absent>","num_attention_heads":16})",
        "kvHeads", "8");
    row("kv heads, mistral: null means heads", mistral, R"({"num_key_value_heads":null,"num_attention_heads":16})",
        "kvHeads", "16");
    row("kv heads, qwen2: absent is 32", qwen2, R"({"num_key_value_heads":"<absent>","num_attention_heads":32})",
        "kvHeads", "32");
    row("kv heads, gemma3: absent is 4", gemma3, R"({"num_key_value_heads":"<absent>"})", "kvHeads", "4");
    row("head_dim, llama: hidden / heads", llama, R"({"head_dim":"<absent>","num_attention_heads":4})", "headDim",
        "128");
    row("head_dim, mistral null: hidden / heads", mistral, R"({"head_dim":null})", "headDim", "64");
    row("head_dim, qwen3: absent is 128", qwen3, R"({"head_dim":"<absent>"})", "headDim", "128");
    row("head_dim, gemma3: absent is 256", gemma3, R"({"head_dim":"<absent>","query_pre_attn_scalar":"<absent>"})",
        "headDim", "256");
    row("head_dim need not be hidden / heads", llama, R"({"head_dim":128})", "headDim", "128");
    // Defaults of the rest.
    row("positions, llama", llama, "{}", "maxPositions", "2048");
    row("positions, mistral", mistral, "{}", "maxPositions", "131072");
    row("positions, qwen2", qwen2, "{}", "maxPositions", "32768");
    row("eps", llama, "{}", "eps", "1e-06");
    row("eps given", llama, R"({"rms_norm_eps":1e-05})", "eps", "1e-05");
    row("tied, llama", llama, "{}", "tied", "false");
    row("tied, qwen3", qwen3, "{}", "tied", "false");
    row("tied, gemma3", gemma3, "{}", "tied", "true");
    row("tied given", llama, R"({"tie_word_embeddings":true})", "tied", "true");
    row("untied given", gemma3, R"({"tie_word_embeddings":false})", "tied", "false");
    // Biases and norms.
    row("biases, llama", llama, "{}", "biases", "false false false");
    row("biases, llama attention", llama, R"({"attention_bias":true})", "biases", "true true false");
    row("biases, llama mlp", llama, R"({"mlp_bias":true})", "biases", "false false true");
    row("biases, mistral has none", mistral, R"({"attention_bias":true,"mlp_bias":true})", "biases",
        "false false false");
    row("biases, qwen2 always", qwen2, R"({"attention_bias":false})", "biases", "true false false");
    row("biases, qwen3", qwen3, R"({"attention_bias":true})", "biases", "true true false");
    row("norms, llama", llama, "{}", "qkNorm", "false 2");
    row("norms, qwen2", qwen2, "{}", "qkNorm", "false 2");
    row("norms, qwen3", qwen3, "{}", "qkNorm", "true 2");
    row("norms, gemma3", gemma3, "{}", "qkNorm", "true 4");
    // Sliding windows.
    row("window, llama ignores it", llama, R"({"sliding_window":128})", "window", "0");
    row("window, mistral", mistral, R"({"sliding_window":128})", "window", "128");
    row("window, mistral null", mistral, R"({"sliding_window":null})", "window", "0");
    row("window, mistral absent", mistral, "{}", "window", "4096");
    row("layers, mistral: all slide", mistral, R"({"num_hidden_layers":3})", "sliding", "sss");
    row("window, qwen2 not in use", qwen2, R"({"sliding_window":128,"max_window_layers":2})", "window", "0");
    row("window, qwen2 false", qwen2, R"({"use_sliding_window":false,"sliding_window":128,"max_window_layers":2})",
        "window", "0");
    row("window, qwen2 in use", qwen2, R"({"use_sliding_window":true,"sliding_window":128,"max_window_layers":2})",
        "window", "128");
    row("layers, qwen2: from max_window_layers on", qwen2,
        R"({"use_sliding_window":true,"sliding_window":128,"max_window_layers":2,"num_hidden_layers":4})", "sliding",
        "ffss");
    row("layers, qwen3: default is 28", qwen3, R"({"use_sliding_window":true,"sliding_window":128})", "sliding",
        "ffffffffffffffffffffffffffffss");
    row("layers, qwen3: by name", qwen3,
        R"({"use_sliding_window":true,"sliding_window":128,"num_hidden_layers":3,
            "layer_types":["sliding_attention","full_attention","sliding_attention"]})",
        "sliding", "sfs");
    row("window, qwen2 beyond the last layer", qwen2,
        R"({"use_sliding_window":true,"sliding_window":128,"max_window_layers":30})", "window", "0");
    row("layers, gemma3: every sixth is full", gemma3, R"({"sliding_window":64,"num_hidden_layers":8})", "sliding",
        "sssssfss");
    row("layers, gemma3: pattern", gemma3, R"({"sliding_window":64,"num_hidden_layers":4,"sliding_window_pattern":2})",
        "sliding", "sfsf");
    row("layers, gemma3: older spelling", gemma3,
        R"({"sliding_window":64,"num_hidden_layers":4,"_sliding_window_pattern":3})", "sliding", "ssfs");
    row("layers, gemma3: by name wins", gemma3,
        R"({"sliding_window":64,"num_hidden_layers":2,"sliding_window_pattern":2,
            "layer_types":["full_attention","sliding_attention"]})",
        "sliding", "fs");
    row("window, gemma3 with full layers only", gemma3,
        R"({"sliding_window":64,"num_hidden_layers":1,"layer_types":["full_attention"]})", "window", "0");
    // Rotary embedding.
    row("theta, llama", llama, "{}", "theta", "10000");
    row("theta, gemma3", gemma3, "{}", "theta", "1e+06");
    row("theta given", llama, R"({"rope_theta":500000})", "theta", "500000");
    row("theta, newer spelling", llama, R"({"rope_parameters":{"rope_theta":130000.0,"rope_type":"default"}})", "theta",
        "130000");
    row("theta, gemma3 newer spelling", gemma3,
        R"({"rope_parameters":{"sliding_attention":{"rope_theta":10000,"rope_type":"default"},
            "full_attention":{"rope_theta":2000000,"rope_type":"linear","factor":8}}})",
        "theta", "2e+06");
    row("local theta, llama", llama, R"({"rope_local_base_freq":20000})", "localTheta", "0");
    row("local theta, gemma3", gemma3, "{}", "localTheta", "10000");
    row("local theta given", gemma3, R"({"rope_local_base_freq":20000})", "localTheta", "20000");
    row("local theta, newer spelling", gemma3,
        R"({"rope_parameters":{"sliding_attention":{"rope_theta":30000,"rope_type":"default"}}})", "localTheta", "30000");
    row("theta, gemma3 with the local one alone", gemma3,
        R"({"rope_parameters":{"sliding_attention":{"rope_theta":30000,"rope_type":"default"}}})", "theta", "1e+06");
    row("parts, llama", llama, "{}", "parts", "silu false 1 0");
    row("parts, qwen3", qwen3, "{}", "parts", "silu false 1 0");
    row("parts, gemma3", gemma3, R"({"hidden_size":1024,"query_pre_attn_scalar":"<absent>"})", "parts", "gelu_tanh true 32 256");
    row("attention scale given", gemma3, R"({"hidden_size":1024,"query_pre_attn_scalar":168})", "parts",
        "gelu_tanh true 32 168");
    row("scaling twice and alike", llama,
        R"({"rope_parameters":{"rope_type":"linear","factor":2,"rope_theta":130000},
            "rope_scaling":{"rope_type":"linear","factor":2}})",
        "scaling", "linear 2 1 4 0");
    row("scaling none", llama, R"({"rope_scaling":null})", "scaling", " 1 1 4 0");
    row("scaling default", llama, R"({"rope_scaling":{"rope_type":"default"}})", "scaling", " 1 1 4 0");
    row("scaling llama3", llama,
        R"({"rope_scaling":{"rope_type":"llama3","factor":32,"low_freq_factor":1,"high_freq_factor":4,
            "original_max_position_embeddings":8192}})",
        "scaling", "llama3 32 1 4 8192");
    row("scaling linear, older spelling", llama, R"({"rope_scaling":{"type":"linear","factor":2.5}})", "scaling",
        "linear 2.5 1 4 0");
    row("scaling in rope_parameters", gemma3,
        R"({"rope_parameters":{"full_attention":{"rope_type":"linear","factor":8.0},"sliding_attention":{"rope_type":"default"}}})",
        "scaling", "linear 8 1 4 0");
    // Tokens.
    row("eos, llama", llama, "{}", "eos", "2");
    row("eos, qwen2 has none", qwen2, "{}", "eos", "");
    row("eos, gemma3", gemma3, "{}", "eos", "1");
    row("eos number", llama, R"({"eos_token_id":7})", "eos", "7");
    row("eos list", llama, R"({"eos_token_id":[7,8,9]})", "eos", "7,8,9");
    row("eos null", llama, R"({"eos_token_id":null})", "eos", "");
    row("bos, llama", llama, "{}", "bos", "1");
    row("bos, qwen3 has none", qwen3, "{}", "bos", "-1");
    row("bos null", llama, R"({"bos_token_id":null})", "bos", "-1");
    row("swish is silu", llama, R"({"hidden_act":"swish"})", "family", "llama");
    row("fields of others are ignored", llama,
        R"({"initializer_range":0.02,"pretraining_tp":1,"torch_dtype":"bfloat16"})", "family", "llama");
}

void TestModelConfig::reads()
{
    QFETCH(QString, architecture);
    QFETCH(QByteArray, changes);
    QFETCH(QString, field);
    QFETCH(QString, expected);
    const ModelShape shape =
        modelShapeFromConfig(changed(soundConfig(architecture), objectOf(changes.constData())), "folder/config.json");
    QCOMPARE(fieldOf(shape, field), expected);
}

void TestModelConfig::refusesField_data()
{
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QByteArray>("changes");
    QTest::addColumn<QString>("named");
    const auto row = [](const char *name, const char *architecture, const char *changes, const char *named) {
        QTest::newRow(name) << QString::fromLatin1(architecture) << QByteArray(changes) << QString::fromLatin1(named);
    };
    row("hidden_size absent", llama, R"({"hidden_size":"<absent>"})", "\"hidden_size\" is missing");
    row("layers absent", llama, R"({"num_hidden_layers":"<absent>"})", "\"num_hidden_layers\" is missing");
    row("heads absent", llama, R"({"num_attention_heads":"<absent>"})", "\"num_attention_heads\" is missing");
    row("ffn absent", llama, R"({"intermediate_size":"<absent>"})", "\"intermediate_size\" is missing");
    row("vocab absent", llama, R"({"vocab_size":null})", "\"vocab_size\" is missing");
    row("hidden_size text", llama, R"({"hidden_size":"512"})", "\"hidden_size\"");
    row("hidden_size list", llama, R"({"hidden_size":[512]})", "\"hidden_size\"");
    row("hidden_size true", llama, R"({"hidden_size":true})", "\"hidden_size\"");
    row("hidden_size fraction", llama, R"({"hidden_size":512.5})", "\"hidden_size\"");
    row("hidden_size zero", llama, R"({"hidden_size":0})", "\"hidden_size\"");
    row("hidden_size negative", llama, R"({"hidden_size":-512})", "is -512");
    row("hidden_size absurd", llama, R"({"hidden_size":2199023255552})", "\"hidden_size\"");
    row("layers absurd", llama, R"({"num_hidden_layers":1000000})", "\"num_hidden_layers\"");
    row("product overflows", llama, R"({"hidden_size":1099511627776,"vocab_size":1099511627776,"head_dim":64})",
        "parameters");
    row("ffn overflows", llama, R"({"intermediate_size":1099511627776,"num_hidden_layers":60000})", "parameters");
    row("kv heads do not divide", llama, R"({"num_key_value_heads":3})", "\"num_key_value_heads\" must divide");
    row("kv heads exceed heads", llama, R"({"num_key_value_heads":16})", "\"num_key_value_heads\" must divide");
    row("kv heads zero", llama, R"({"num_key_value_heads":0})", "\"num_key_value_heads\"");
    row("hidden no multiple of heads", llama, R"({"head_dim":"<absent>","hidden_size":500})",
        "\"hidden_size\" must be a multiple");
    row("head_dim odd", llama, R"({"head_dim":63})", "\"head_dim\" must be even");
    row("eps text", llama, R"({"rms_norm_eps":"1e-5"})", "\"rms_norm_eps\"");
    row("eps negative", llama, R"({"rms_norm_eps":-1})", "\"rms_norm_eps\"");
    row("theta zero", llama, R"({"rope_theta":0})", "\"rope_theta\"");
    row("tied text", llama, R"({"tie_word_embeddings":"yes"})", "\"tie_word_embeddings\" must be true or false");
    row("architectures text", llama, R"({"architectures":"LlamaForCausalLM"})", "\"architectures\"");
    row("architectures of numbers", llama, R"({"architectures":[1]})", "\"architectures\"");
    row("no family at all", llama, R"({"architectures":[]})", "\"architectures\" is missing");
    row("mixture of experts", llama, R"({"architectures":["MixtralForCausalLM"]})", "\"MixtralForCausalLM\"");
    row("with images", llama, R"({"architectures":["Gemma3ForConditionalGeneration"]})",
        "\"Gemma3ForConditionalGeneration\"");
    row("unknown model_type", llama, R"({"architectures":"<absent>","model_type":"gpt2"})", "\"gpt2\"");
    row("quantized", llama, R"({"quantization_config":{"quant_method":"gptq","bits":4}})", "quantized");
    row("other activation", llama, R"({"hidden_act":"relu"})", "\"hidden_act\" is \"relu\"");
    row("other activation, gemma3", gemma3, R"({"hidden_activation":"gelu"})", "\"hidden_activation\"");
    row("scaling yarn", qwen2, R"({"rope_scaling":{"type":"yarn","factor":4}})", "\"yarn\"");
    row("scaling longrope", llama, R"({"rope_parameters":{"rope_type":"longrope","rope_theta":10000}})",
        "\"longrope\"");
    row("scaling without type", llama, R"({"rope_scaling":{"factor":4}})", "\"rope_scaling.rope_type\" is missing");
    row("scaling without factor", llama, R"({"rope_scaling":{"rope_type":"linear"}})",
        "\"rope_scaling.factor\" is missing");
    row("scaling llama3 incomplete", llama, R"({"rope_scaling":{"rope_type":"llama3","factor":8}})",
        "\"rope_scaling.low_freq_factor\"");
    row("scaling llama3 turned round", llama,
        R"({"rope_scaling":{"rope_type":"llama3","factor":8,"low_freq_factor":4,"high_freq_factor":4,
            "original_max_position_embeddings":8192}})",
        "\"rope_scaling.high_freq_factor\"");
    row("scaling no object", llama, R"({"rope_scaling":"llama3"})", "\"rope_scaling\" must be an object");
    row("part of the head turned", llama, R"({"partial_rotary_factor":0.5})", "\"partial_rotary_factor\"");
    row("local base zero", gemma3, R"({"rope_local_base_freq":0})", "\"rope_local_base_freq\"");
    row("sliding layers scaled", gemma3,
        R"({"rope_parameters":{"sliding_attention":{"rope_type":"linear","factor":2}}})",
        "\"rope_parameters.sliding_attention.rope_type\"");
    row("gemma3 with one base for all", gemma3, R"({"rope_parameters":{"rope_theta":10000,"rope_type":"default"}})",
        "\"rope_parameters.rope");
    row("llama with a base a kind of layer", llama, R"({"rope_parameters":{"full_attention":{"rope_theta":10000}}})",
        "\"rope_parameters.full_attention\"");
    row("scaling twice and otherwise", llama,
        R"({"rope_parameters":{"rope_type":"linear","factor":2},"rope_scaling":{"rope_type":"linear","factor":4}})",
        "\"rope_scaling\"");
    row("gemma3 without a window", gemma3, R"({"sliding_window":null})", "\"sliding_window\" gives no window");
    row("qwen3 layers that slide without a window", qwen3,
        R"({"num_hidden_layers":1,"layer_types":["sliding_attention"]})", "\"use_sliding_window\" gives no window");
    row("logits capped", gemma3, R"({"final_logit_softcapping":30.0})", "\"final_logit_softcapping\"");
    row("attention scale zero", gemma3, R"({"query_pre_attn_scalar":0})", "\"query_pre_attn_scalar\"");
    row("attention both ways", gemma3, R"({"use_bidirectional_attention":true})", "\"use_bidirectional_attention\"");
    row("window zero", mistral, R"({"sliding_window":0})", "\"sliding_window\"");
    row("pattern zero", gemma3, R"({"sliding_window_pattern":0})", "\"sliding_window_pattern\"");
    row("layer_types too short", gemma3, R"({"layer_types":["full_attention"]})",
        "\"layer_types\" must name 30 layers");
    row("layer_types unknown", gemma3, R"({"num_hidden_layers":1,"layer_types":["linear_attention"]})",
        "\"linear_attention\"");
    row("eos beyond the vocabulary", llama, R"({"eos_token_id":1000})", "\"eos_token_id\"");
    row("eos negative", llama, R"({"eos_token_id":-1})", "\"eos_token_id\"");
    row("eos list of texts", llama, R"({"eos_token_id":["</s>"]})", "\"eos_token_id\"");
    row("bos text", llama, R"({"bos_token_id":"<s>"})", "\"bos_token_id\"");
}

void TestModelConfig::refusesField()
{
    QFETCH(QString, architecture);
    QFETCH(QByteArray, changes);
    QFETCH(QString, named);
    const QString sentence = refusal(changed(soundConfig(architecture), objectOf(changes.constData())));
    QVERIFY2(sentence.startsWith(QStringLiteral("folder/config.json")), qPrintable(sentence));
    QVERIFY2(sentence.contains(named), qPrintable(sentence));
    QVERIFY2(sentence.endsWith(QLatin1Char('.')), qPrintable(sentence));
}

void TestModelConfig::refusesText_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("named");
    QTest::newRow("empty") << QByteArray() << "not valid JSON";
    QTest::newRow("cut off") << QByteArray(R"({"architectures":["Llama)") << "not valid JSON";
    QTest::newRow("a list") << QByteArray("[1,2]") << "must hold a JSON object";
    QTest::newRow("a number") << QByteArray("7") << "must hold a JSON object";
    QTest::newRow("binary") << QByteArray("\x00\x01\x02\xff\xfe", 5) << "not valid JSON";
    QTest::newRow("no UTF-8") << QByteArray("{\"architectures\":[\"\xc3\x28\"]}") << "not valid JSON";
    QTest::newRow("infinite") << QByteArray(R"({"rms_norm_eps":Infinity})") << "Infinity at byte 17; JSON has no such number";
    QTest::newRow("no number") << QByteArray(R"({"rms_norm_eps": NaN})") << "NaN at byte 18; JSON has no such number";
    QTest::newRow("number out of range") << QByteArray(R"({"rms_norm_eps":1e999})") << "no program can read";
    QTest::newRow("100,000 lists deep") << QByteArray(100000, '[') << "nests deeper";
    QTest::newRow("100,000 objects deep") << QByteArray("{\"a\":").repeated(100000) << "nests deeper";
    QTest::newRow("integer beyond 64 bits")
        << QByteArray(R"({"architectures":["LlamaForCausalLM"],"num_hidden_layers":99999999999999999999999})")
        << "\"num_hidden_layers\"";
    QTest::newRow("integer beyond the signed range")
        << QByteArray(R"({"architectures":["LlamaForCausalLM"],"num_hidden_layers":18446744073709551615})")
        << "\"num_hidden_layers\"";
}

void TestModelConfig::refusesText()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, named);
    const QString sentence = refusal(text.toStdString());
    QVERIFY2(sentence.startsWith(QStringLiteral("folder/config.json")), qPrintable(sentence));
    QVERIFY2(sentence.contains(named), qPrintable(sentence));
    QVERIFY(sentence.size() < 400);
}

void TestModelConfig::sizesAreTaken()
{
    const ModelShape shape = modelShapeFromConfig(changed(soundConfig(QString::fromLatin1(llama)), {}), "config.json");
    QCOMPARE(shape.architecture, std::string("LlamaForCausalLM"));
    QCOMPARE(shape.layers, std::int64_t(30));
    QCOMPARE(shape.hidden, std::int64_t(512));
    QCOMPARE(shape.heads, std::int64_t(8));
    QCOMPARE(shape.kvHeads, std::int64_t(4));
    QCOMPARE(shape.headDim, std::int64_t(64));
    QCOMPARE(shape.ffn, std::int64_t(1024));
    QCOMPARE(shape.vocab, std::int64_t(1000));
}

void TestModelConfig::folderGivesItsName_data()
{
    QTest::addColumn<QString>("suffix");
    QTest::newRow("plain") << "";
    QTest::newRow("slash at the end") << "/";
    QTest::newRow("dot at the end") << "/.";
}

void TestModelConfig::folderGivesItsName()
{
    QFETCH(QString, suffix);
    QTemporaryDir parent;
    const QString folder = parent.filePath(QStringLiteral("My-Model"));
    QVERIFY(QDir().mkpath(folder));
    QFile file(folder + QStringLiteral("/config.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(changed(soundConfig(QString::fromLatin1(qwen3)), {})));
    file.close();
    const ModelShape shape = modelShapeFromFolder((folder + suffix).toStdString());
    QCOMPARE(shape.id, std::string("My-Model"));
    QCOMPARE(shape.name, std::string("My-Model"));
    QCOMPARE(shape.family, Family::Qwen3);
}

void TestModelConfig::folderWithoutConfigIsNamed()
{
    QTemporaryDir folder;
    const auto sentence = [](const QString &path) {
        try {
            modelShapeFromFolder(path.toStdString());
        } catch (const Error &error) {
            return QString::fromUtf8(error.what());
        }
        return QString();
    };
    const QString empty = sentence(folder.path());
    QVERIFY(empty.contains(folder.path()) && empty.contains(QStringLiteral("holds no config.json")));
    const QString missing = sentence(folder.filePath(QStringLiteral("nowhere")));
    QVERIFY(missing.contains(QStringLiteral("There is no folder")) && missing.contains(QStringLiteral("nowhere")));
}

QTEST_GUILESS_MAIN(TestModelConfig)
#include "test_model_config.moc"
