// Every preset has exactly the number of parameters its header states, summed
// over the weights it needs.
#include "ModelProgram.h"
#include "TileGPT/Bundle/LiteralWeight.h"
#include <gtest/gtest.h>

namespace tilegpt {
namespace {

int64_t countParameters(const std::string &text) {
  int64_t count = 0;
  for (const auto &[name, shape] : weightsOf(text)) {
    if (bundle::isLiteralWeight(name))
      continue;
    int64_t size = 1;
    for (int64_t axis : shape)
      size *= axis;
    count += size;
  }
  return count;
}

struct Preset {
  const char *name;
  int64_t parameters;
};

class ParameterCount : public testing::TestWithParam<Preset> {};

TEST_P(ParameterCount, IsExact) {
  EXPECT_EQ(countParameters(builtinModel(GetParam().name)),
            GetParam().parameters);
}

INSTANTIATE_TEST_SUITE_P(
    Presets, ParameterCount,
    testing::Values(
        Preset{"nano", 2'503'392}, Preset{"micro", 7'259'008},
        Preset{"mini", 12'368'064}, Preset{"gpt2", 124'439'808},
        Preset{"gpt2-medium", 354'823'168}, Preset{"gpt2-large", 774'030'080},
        Preset{"gpt2-xl", 1'557'611'200}, Preset{"tile-small", 3'424'704},
        Preset{"tile-medium", 7'655'552}, Preset{"tile-large", 19'315'456},
        Preset{"shakespeare", 5'394'432}, Preset{"llama", 6'738'415'616},
        Preset{"mistral", 7'241'732'096}, Preset{"qwen2", 494'032'768},
        Preset{"qwen3", 596'049'920}, Preset{"smollm3", 3'075'098'624},
        Preset{"gemma3", 268'098'176}, Preset{"phi3", 3'821'079'552},
        Preset{"gpt-neox", 162'322'944}, Preset{"gemma2", 2'614'341'888},
        Preset{"qwen3-moe", 30'532'122'624}, Preset{"mixtral", 46'702'792'704},
        Preset{"gemma", 2'506'172'416}, Preset{"phi", 2'779'683'840},
        Preset{"stablelm", 1'644'367'872}, Preset{"starcoder2", 3'030'371'328},
        Preset{"gpt-neo", 125'198'592}, Preset{"gpt-bigcode", 164'144'128},
        Preset{"falcon", 6'921'720'704}, Preset{"exaone4", 1'279'391'488},
        Preset{"gptj", 6'050'882'784}, Preset{"glm", 9'399'951'360},
        Preset{"glm4", 9'400'279'040}, Preset{"helium", 2'023'868'416},
        Preset{"ernie4_5", 360'748'032}, Preset{"seed_oss", 36'151'104'512},
        Preset{"olmo", 6'888'095'744}, Preset{"olmo2", 6'888'624'128},
        Preset{"olmo3", 6'888'624'128}, Preset{"olmoe", 6'919'161'856},
        Preset{"granite", 6'738'415'616}, Preset{"arcee", 4'022'766'080},
        Preset{"nemotron", 17'642'041'344}, Preset{"cohere", 34'980'831'232},
        Preset{"cohere2", 34'980'831'232}, Preset{"opt", 125'237'760},
        Preset{"qwen2-moe", 14'315'784'192}, Preset{"exaone", 2'357'331'968},
        Preset{"falcon_grouped", 41'303'293'952},
        Preset{"internlm2", 7'321'948'160}, Preset{"internlm3", 7'529'041'920},
        Preset{"minicpm", 6'607'343'616}, Preset{"codegen", 356'712'448},
        Preset{"gpt-oss", 20'914'757'184}, Preset{"lfm2", 1'170'340'608},
        Preset{"lfm2_moe", 8'339'930'560},
        Preset{"deepseek_v2", 15'706'484'224},
        Preset{"deepseek_v3", 671'026'419'200},
        Preset{"apertus", 8'053'338'240},
        Preset{"hunyuan_v1_dense", 463'512'576},
        Preset{"glm4_moe", 106'852'251'264},
        Preset{"ernie4_5_moe", 21'825'437'888},
        Preset{"llama-3.2-1b", 1'235'814'400},
        Preset{"qwen3-0.6b", 596'049'920}, Preset{"smollm2-135m", 134'515'008}),
    [](const testing::TestParamInfo<Preset> &info) {
      std::string name = info.param.name;
      for (char &c : name)
        c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
      return name;
    });

} // namespace
} // namespace tilegpt
