// Converts a value of a config.json to a setting of a model.
#ifndef TILEGPT_LIB_RUNTIME_CONFIG_READSETTING_H
#define TILEGPT_LIB_RUNTIME_CONFIG_READSETTING_H

#include "TileGPT/Runtime/Config/ModelTables.h"
#include "TileGPT/Runtime/Data/Json.h"

namespace tilegpt::runtime {

/// What determines how the value of a key is read.
struct SettingSource {
  const ConfigRule &rule;
  const std::string &key;   ///< the one of the rule's keys that is present
  const SettingValue &like; ///< the default in the model, which has the type
  int64_t layers;           ///< of the model; 0 if unknown
};

/// \returns an error without a subject: "expected 'eps' to be a number, got
/// true".
tl::expected<SettingValue, std::string> readSetting(const SettingSource &source,
                                                    JsonValue value);

/// A list over the layers for a rule with `first`: its first value `count`
/// times, then its second.
SettingValue firstLayers(const ConfigRule &rule, int64_t count, int64_t layers);

} // namespace tilegpt::runtime

#endif
