# Gives --function every other flag that --help lists, and says which are refused in the words that they should be.
kernel=$1
kept="help version function input output expected-output param tolerance grid raw convention list device list-devices arch model config"
tilegpt-run --help | grep -o -- '--[a-z][a-z-]*' | sort -u | sed 's/^--//' | while read -r flag; do
  case " $kept " in *" $flag "*) continue ;; esac
  case $flag in
    predict) continue ;; # another name of n-predict
    random-weights | n-predict | ctx-size | seed | temp | top-k | top-p | min-p | repeat-penalty | repeat-last-n | \
      presence-penalty | frequency-penalty | repetitions | threads | parallel | batch-size | cache-size | \
      tp | budget | overlap-exchanges) value=1 ;;
    tokens) value=1,2 ;;
    logit-bias) value=1+1 ;;
    bench) value=decode:1 ;;
    cuda-launches) value=plain ;;
    dtype | logits) value=f32 ;;
    weights-layout) value=auto ;;
    collectives) value=host ;;
    fuse-launches) value=list ;;
    escape | explain-fusion | chat | ignore-eos | print-ids | no-display-prompt | perplexity | list-models) value= ;;
    *) value=some ;;
  esac
  message=$(tilegpt-run "$kernel" --function add "--$flag" $value 2>&1)
  expected="tilegpt-run: error: --function runs one kernel; --$flag has no effect on it, remove it"
  if [ "$message" = "$expected" ]; then echo "refused --$flag"; else echo "--$flag: $message"; fi
done
