import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { isIgnored, parseDockerfile } from "../../src/guide/dockerfile.js";

const root = path.resolve(import.meta.dirname, "../../..");

it("parseDockerfile joins continued lines and substitutes ARG defaults in FROM", () => {
  const [build, image, ...others] = parseDockerfile(
    readFileSync(path.join(root, "deploy/docker/Dockerfile"), "utf8"),
  );
  expect([build?.name, build?.base, image?.base, others]).toEqual([
    "build",
    expect.stringMatching(/^node:\d+-bookworm-slim$/),
    build?.base,
    [],
  ]);
  expect(image?.instructions[0]).toEqual({
    name: "RUN",
    text: expect.stringMatching(/^groupadd .* && useradd .* && install -d .*$/),
  });
});

it(".dockerignore excludes files that are not part of a clone, but no source files", () => {
  const patterns = readFileSync(path.join(root, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const files = ["node_modules", "apps/api/dist", ".git", ".env.local", "a/b.log", "bench/results/x.json"];
  const secrets = ["deploy/docker/settings.env", "stores.json", "deploy/docker/stores.json"];
  expect([...files, ...secrets].filter((file) => !isIgnored(patterns, file))).toEqual([]);
  const included = ["package.json", "apps/api/src/main.ts", "docs/production.md", "apps/api/distance.ts"];
  expect(included.filter((file) => isIgnored(patterns, file))).toEqual([]);
});
