# Checks that names local to a source file (in an unnamed namespace, static, constants, macros, differing aliases) are
# unique in their library, including the names that its headers declare: several sources may be compiled as one
# (cmake/TileGPTBatches.cmake), and a name should have one meaning for readers.
import collections
import re

NOISE = re.compile(r"//[^\n]*|/\*.*?\*/|"
                   r"R\"(\w*)\(.*?\)\1\"|\"(?:\\.|[^\"\\\n])*\"|\'(?:\\.|[^\'\\\n])+\'", re.DOTALL)
DIRECTIVE = re.compile(r"^#(?:[^\n\\]|\\\n|\\.)*", re.MULTILINE)
ATTRIBUTE = re.compile(r"\[\[.*?\]\]|__attribute__\s*\(\(.*?\)\)|\balignas\s*\([^)]*\)")
NAMELESS = re.compile(r"(using\s+namespace|namespace|static_assert|extern|typedef|friend|template)\b")
# Undefined again by the tables that tablegen generates.
SELECTORS = re.compile(r"GEN_|GET_")


BRACKETS = {opening: re.compile("[" + re.escape(opening + closing) + "]") for opening, closing in ("()", "{}", "<>")}


def close(text, place):
    """The position after the bracket that closes the one at `place`."""
    depth = 0
    for bracket in BRACKETS[text[place]].finditer(text, place):
        depth += 1 if bracket[0] == text[place] else -1
        if depth == 0:
            return bracket.end()
    return len(text)


def without_template_parameters(text):
    while match := re.match(r"\s*template\s*<", text):
        text = text[close(text, match.end() - 1):]
    return text.strip()


def flatten(text):
    """Removes everything in brackets of any kind, so that only commas and `=` of the declaration itself remain."""
    before = None
    while text != before:
        before, text = text, re.sub(r"<[^<>=;]*>|\{[^{}]*\}|\[[^\[\]]*\]", " ", text)
    return text


def names_declared(text, is_body):
    """The names of one declaration, and whether they are local in any scope; `is_body`: it continues
    with a body or a list in braces. Members, operators and forward declarations are ignored."""
    text = ATTRIBUTE.sub("", without_template_parameters(text)).strip()
    if not text or NAMELESS.match(text):
        return [], False
    if match := re.match(r"using\s+(\w+)\s*=", text):
        return [match[1]], True
    if match := re.match(r"(?:class|struct|enum\s+class|enum|union)\s+(\w+)\s*(?:final)?\s*(?::[^:]|$)", text):
        return ([match[1]] if is_body else []), False
    text = flatten(text)
    head = text.split("=")[0]
    if "operator" in head:
        return [], False
    if match := re.match(r"([^(]*?)([\w:~]+)\s*\(", head):
        is_member = "::" in match[2] or not match[1].strip() or match[1].rstrip().endswith("::")
        return ([] if is_member else [match[2]]), re.search(r"\bstatic\b", match[1]) is not None
    while re.search(r"\([^()]*\)", text):
        text = re.sub(r"\([^()]*\)", " ", text)
    is_local = re.match(r"(static|constexpr|const)\b", text) is not None and "inline" not in head
    first, *others = text.split(",")
    match = re.match(r".*[\w>&*]\s*[\s&*](\w+)\s*$", first.split("=")[0], re.DOTALL)
    names = [match[1]] if match else []
    return names + [other.split("=")[0].strip() for other in others if names], is_local


def declarations(text):
    """The declarations at the scope of a namespace: names, whether only this file sees them, what an alias stands for."""
    text = NOISE.sub(lambda match: '""' if match[0][0] in '"R' else " ", text)
    text = DIRECTIVE.sub("", text)
    spaces, start, place = [], 0, 0
    while mark := re.compile(r"[({};]").search(text, place):
        letter, place = mark[0], mark.end()
        if letter == "(":
            place = close(text, place - 1)
        elif letter == "}":
            if spaces:
                spaces.pop()
            start = place
        else:
            head = text[start:place - 1]
            space = re.match(r'\s*(?:(?:inline\s+)?namespace\b\s*([\w:]*)|extern\s*"")\s*$', head)
            if letter == "{" and space:
                spaces.append("extern" if space[1] is None else space[1])
            else:
                names, is_local = names_declared(head, letter == "{")
                alias = re.match(r"\s*using\s+\w+\s*=\s*(.*)", head, re.DOTALL)
                yield names, is_local or "" in spaces, alias and " ".join(alias[1].split())
                if letter == "{":
                    place = close(text, place - 1)
            start = place


def local_names(text):
    """The local names of a source file, with the target of each alias; None for all others."""
    code = NOISE.sub(lambda match: '""' if match[0][0] in '"R' else " ", text)
    macros = set(re.findall(r"^#define (\w+)", code, re.MULTILINE)) - set(re.findall(r"^#undef (\w+)", code, re.MULTILINE))
    found = {macro: None for macro in macros if not SELECTORS.match(macro)}
    for names, is_local, alias in declarations(text):
        if is_local:
            found.update(dict.fromkeys(names, alias))
    return found


def shared_names(header):
    """The same for all names that a header declares."""
    found = {}
    for names, _, alias in declarations(header):
        found.update(dict.fromkeys(names, alias))
    return found


def libraries(root):
    """Name and source files of each library."""
    for top in ("lib", "tools", "test/unit"):
        for file in sorted((root / top).rglob("CMakeLists.txt")):
            text = re.sub(r"#[^\n]*", "", file.read_text(encoding="utf-8"))
            for name, sources in re.findall(r"tilegpt_add_(?:\w+_)?library\((\w+)([^)]*)\)", text):
                yield name, [file.parent / source for source in re.findall(r"[\w/.-]+\.cpp", sources)]


def headers(root, sources):
    """The headers of a library: beside its sources and in the folders of include/ that mirror theirs."""
    folders = {source.parent.relative_to(root) for source in sources}
    folders |= {"include/TileGPT" / folder.relative_to("lib") for folder in folders if folder.parts[0] == "lib"}
    return sorted(header for folder in folders for header in (root / folder).glob("*.h"))


def check_local_names(root, problems):
    for library, sources in libraries(root):
        files = collections.defaultdict(dict)
        for source in filter(lambda source: source.exists(), sources):
            for name, alias in local_names(source.read_text(encoding="utf-8")).items():
                files[name][source] = alias
        for header in headers(root, sources):
            for name, alias in shared_names(header.read_text(encoding="utf-8")).items():
                # A source may overload what its own header declares.
                if any(source.stem != header.stem for source in files.get(name, {}) if source.suffix == ".cpp"):
                    files[name][header] = alias
        for name, places in sorted(files.items()):
            aliases = set(places.values())
            if len(places) > 1 and (None in aliases or len(aliases) > 1):
                local, declared = (", ".join(str(place.relative_to(root)) for place in places if place.suffix == suffix)
                                   for suffix in (".cpp", ".h"))
                where = local + (f" and declared by {declared}" if declared else "")
                problems.append(f"{library}: {name} is local to {where}; give each its own name, or share one")
