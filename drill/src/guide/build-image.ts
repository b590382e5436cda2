import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { type Instruction, isIgnored, type Stage } from "./dockerfile.js";
import {
  type Closing,
  downloadSettings,
  findNode,
  mountOverlay,
  prepareBase,
  runOrFail,
  runProgram,
} from "./machines.js";

export const ROOT = path.resolve(import.meta.dirname, "../../..");
const NODE_IMAGE = /^node:(\d+)-bookworm-slim$/;
/** Debian's image contains this package, because apt needs it. */
const SLIM_PACKAGES = "libstdc++6";

export type Image = {
  root: string;
  folder: string;
  user: string;
  environment: string[];
  volumes: string[];
  entrypoint: string[];
  command: string[];
};

/**
 * Returns a function that builds the stages of a Dockerfile and returns the last stage. A stage is reused if its instructions and those of all
 * earlier stages are unchanged.
 */
export function createBuilder(
  folder: string,
  closing: Closing,
): (stages: readonly Stage[]) => Promise<Image> {
  const built = new Map<string, Image>();
  let count = 0;
  return async (stages) => {
    const byName = new Map<string, Image>();
    let key = "";
    for (const stage of stages) {
      key += JSON.stringify(stage);
      const image =
        built.get(key) ?? (await startStage(stage.base, path.join(folder, `stage-${count++}`), closing));
      if (!built.has(key)) for (const one of stage.instructions) await carryOut(one, image, byName);
      built.set(key, image);
      byName.set(stage.name, image);
    }
    const last = [...byName.values()].at(-1);
    if (last === undefined) throw new Error("The Dockerfile has no FROM.");
    return last;
  };
}

async function startStage(base: string, home: string, closing: Closing): Promise<Image> {
  const [, line] = NODE_IMAGE.exec(base) ?? [];
  if (line === undefined) throw new Error(`Unsupported base image ${base}`);
  const lower = await prepareBase([], SLIM_PACKAGES);
  closing.push(() => runProgram("umount", ["--lazy", path.join(home, "root")]));
  const root = await mountOverlay(lower, home);
  await installNode(line, root);
  const environment = ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"];
  return { root, folder: "/", user: "root", environment, volumes: [], entrypoint: [], command: [] };
}

/** Installs Node from npm, and this machine's npm, in the same places as the base image. */
async function installNode(line: string, root: string): Promise<void> {
  const { node, npm } = await findNode(line);
  await cp(node, path.join(root, "usr/local/bin/node"));
  await cp(npm, path.join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
  await symlink("../lib/node_modules/npm/bin/npm-cli.js", path.join(root, "usr/local/bin/npm"));
}

async function carryOut(
  { name, text }: Instruction,
  image: Image,
  stages: Map<string, Image>,
): Promise<void> {
  const startedAt = performance.now();
  switch (name) {
    case "WORKDIR":
      image.folder = path.resolve(image.folder, text);
      await mkdir(path.join(image.root, image.folder), { recursive: true });
      break;
    case "ENV":
      image.environment.push(...text.split(/\s+/));
      break;
    case "USER":
      image.user = text;
      break;
    case "VOLUME":
      image.volumes = parseList(text);
      break;
    case "ENTRYPOINT":
      image.entrypoint = parseList(text);
      break;
    case "CMD":
      image.command = parseList(text);
      break;
    case "COPY":
      await copy(text, image, stages);
      break;
    case "RUN":
      await run(text, image);
      break;
    case "EXPOSE":
    case "STOPSIGNAL":
      break;
    default:
      throw new Error(`Unsupported instruction ${name}.`);
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.log(`${name} ${text.slice(0, 100)} … ${seconds} s`);
}

function parseList(text: string): string[] {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) throw new Error(`${text} is not a list.`);
  return list.map(String);
}

async function copy(text: string, image: Image, stages: Map<string, Image>): Promise<void> {
  const [first = "", ...rest] = text.split(/\s+/);
  const [, stage] = /^--from=(\S+)$/.exec(first) ?? [];
  const [source = "", target = ""] = stage === undefined ? [first, ...rest] : rest;
  const to = path.join(image.root, path.resolve(image.folder, target));
  await mkdir(to, { recursive: true });
  if (stage !== undefined) {
    const from = stages.get(stage);
    if (from === undefined) throw new Error(`COPY refers to an unknown stage: ${stage}.`);
    await runOrFail("cp", "-a", `${path.join(from.root, source)}/.`, to);
    return;
  }
  const patterns = (await readFile(path.join(ROOT, ".dockerignore"), "utf8"))
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const from = path.resolve(ROOT, source);
  await cp(from, to, {
    recursive: true,
    filter: (file) => file === from || !isIgnored(patterns, path.relative(ROOT, file)),
  });
}

export const nspawnOptions = (image: Image, ...rest: string[]): string[] => [
  "--quiet",
  "--register=no",
  "--keep-unit",
  "--resolv-conf=off",
  "--timezone=off",
  "--as-pid2",
  `--directory=${image.root}`,
  `--chdir=${image.folder}`,
  `--user=${image.user}`,
  ...image.environment.map((one) => `--setenv=${one}`),
  ...rest,
];

async function run(text: string, image: Image): Promise<void> {
  const settings = downloadSettings(image.root).map((one) => `--setenv=${one}`);
  const { code, text: output } = await runProgram("systemd-nspawn", [
    ...nspawnOptions(image, ...settings),
    "/bin/sh",
    "-c",
    text,
  ]);
  if (code !== 0) throw new Error(`RUN ${text}: exit code ${code}\n${output}`);
}
