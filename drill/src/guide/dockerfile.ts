/** An instruction of a Dockerfile, with its continued lines joined. */
export type Instruction = { name: string; text: string };
/** `base`: an image, or the name of an earlier stage. */
export type Stage = { name: string; base: string; instructions: Instruction[] };

const INSTRUCTION = /^([A-Z]+)\s+(\S.*)$/;
const FROM = /^(\S+)(?:\s+AS\s+(\S+))?$/i;

/** Parses a Dockerfile into stages. @throws Error for a line that is not an instruction, or an instruction other than ARG before the first FROM. */
export function parseDockerfile(file: string): Stage[] {
  const lines = file
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("#"))
    .join("\n")
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const defaults = new Map<string, string>();
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, name = "", text = ""] = INSTRUCTION.exec(line.trim()) ?? [];
    if (name === "") throw new Error(`The Dockerfile has a line without an instruction: ${line}`);
    const stage = stages.at(-1);
    if (name === "FROM") {
      const [, image = "", as = String(stages.length)] = FROM.exec(text) ?? [];
      const base = image.replace(/^\$\{(\w+)\}$/, (_all, variable: string) => defaults.get(variable) ?? "");
      stages.push({ name: as, base, instructions: [] });
    } else if (stage) stage.instructions.push({ name, text });
    else if (name === "ARG") {
      const [variable = "", ...value] = text.split("=");
      defaults.set(variable, value.join("="));
    } else throw new Error(`${name} is not allowed before the first FROM`);
  }
  return stages;
}

/** Returns whether `.dockerignore` excludes a file. @param file path relative to the build folder. */
export function isIgnored(patterns: readonly string[], file: string): boolean {
  const parts = file.split("/");
  return patterns.some((pattern) => {
    const anywhere = pattern.startsWith("**/");
    const wanted = (anywhere ? pattern.slice(3) : pattern).split("/");
    const starts = anywhere ? parts.map((_part, at) => at) : [0];
    return starts.some((start) =>
      wanted.every((one, at) => {
        const [before = "", ...after] = one.split("*");
        const part = parts[start + at] ?? "";
        return after.length === 0
          ? part === one
          : part.length >= one.length - 1 && part.startsWith(before) && part.endsWith(after.join("*"));
      }),
    );
  });
}
