import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const folder = path.resolve(import.meta.dirname, "../../../deploy/high-availability");
const read = (file: string): string => readFileSync(path.join(folder, file), "utf8");

it("the high-availability guide explains each placeholder of its files", () => {
  const guide = read("README.md");
  const named = new Set<string>();
  for (const file of readdirSync(folder).filter((name) => name !== "README.md"))
    for (const [, name = ""] of read(file).matchAll(/\$\{(\w+)\}/g))
      named.add(name.replace(/_(TWO|THREE)$/, "_ONE"));
  expect(named.size).toBeGreaterThan(20);
  expect([...named].filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});

it("Patroni uses etcd's v2 API, by which a frozen leader cannot overwrite its successor", () => {
  expect(read("patroni.yml")).toMatch(/^etcd:$/m);
  expect(read("patroni.yml")).not.toMatch(/^etcd3:/m);
  expect(read("etcd.conf.yml")).toMatch(/^enable-v2: true$/m);
});
