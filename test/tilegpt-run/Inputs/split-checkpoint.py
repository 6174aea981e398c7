# Writes a safetensors file as two shards with an index. Usage: split-checkpoint.py FILE FOLDER
import json
import pathlib
import sys

data = pathlib.Path(sys.argv[1]).read_bytes()
size = int.from_bytes(data[:8], "little")
header = json.loads(data[8:8 + size])
header.pop("__metadata__", None)
names = sorted(header)
index = {}
for number, part in enumerate((names[::2], names[1::2])):
    shard, tensors, offset = f"model-{number}.safetensors", {}, 0
    body = b""
    for name in part:
        begin, end = header[name]["data_offsets"]
        tensors[name] = {**header[name], "data_offsets": [offset, offset + end - begin]}
        body += data[8 + size + begin:8 + size + end]
        offset += end - begin
        index[name] = shard
    text = json.dumps(tensors).encode()
    pathlib.Path(sys.argv[2], shard).write_bytes(len(text).to_bytes(8, "little") + text + body)
pathlib.Path(sys.argv[2], "model.safetensors.index.json").write_text(json.dumps({"weight_map": index}))
