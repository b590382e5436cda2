import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { findShellBlocks } from "../../src/guide/blocks.js";

const folder = path.resolve(import.meta.dirname, "../../../deploy/high-availability");
const read = (file: string): string => readFileSync(path.join(folder, file), "utf8");
const MACHINES = [
  "one",
  "two",
  "three",
  "api",
  "api-one",
  "balancer",
  "leader",
  "former-leader",
  "standbys",
  "fresh-three",
];

it("cluster.env and the secrets of the high-availability guide set each placeholder of its files", () => {
  const assigned = new Set([...read("cluster.env").matchAll(/^(\w+)=/gm)].map(([, name]) => name));
  const [, secrets = ""] =
    /for name in ([A-Z ]+); do echo "\$\{name\}_PASSWORD/.exec(read("README.md")) ?? [];
  for (const name of secrets.split(" ")) assigned.add(`${name}_PASSWORD`);
  expect(read("README.md")).toContain('"BACKUP_PASSPHRASE=');
  assigned.add("BACKUP_PASSPHRASE");
  const used = new Set<string>();
  for (const file of readdirSync(folder).filter((name) => /\.(yml|cfg|ini|conf|cron)$/.test(name)))
    for (const [, name = ""] of read(file).matchAll(/\$\{(\w+)\}/g)) used.add(name);
  expect(used.size).toBeGreaterThan(20);
  expect([...used].filter((name) => !assigned.has(name))).toEqual([]);
});

it("each shell block in the guides specifies the machines on which npm run test:long runs it", () => {
  const blocks = ["README.md", "operation.md", "../systemd/README.md"].flatMap((file) =>
    findShellBlocks(read(file)),
  );
  expect(blocks.length).toBeGreaterThan(30);
  expect(
    blocks.filter(({ where }) => where.length === 0 || where.some((name) => !MACHINES.includes(name))),
  ).toEqual([]);
});

it("docs/production.md has shell blocks for one machine only, and one settings block, whose first line names its file", () => {
  const blocks = findShellBlocks(readFileSync(path.join(folder, "../../docs/production.md"), "utf8"));
  expect(blocks.length).toBeGreaterThan(8);
  expect(blocks.filter(({ where }) => where.length > 0)).toEqual([]);
  expect(blocks.filter(({ text }) => text.startsWith("# /"))).toMatchObject([
    { heading: "Installation", text: expect.stringMatching(/^# \/etc\/tillgate\/settings\.env\n/) },
  ]);
});

it("Patroni uses etcd's v2 API, with which a frozen leader cannot overwrite its successor", () => {
  expect(read("patroni.yml")).toMatch(/^etcd:$/m);
  expect(read("patroni.yml")).not.toMatch(/^etcd3:/m);
  expect(read("etcd.conf.yml")).toMatch(/^enable-v2: true$/m);
});
