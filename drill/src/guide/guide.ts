import { chmod, cp, mkdir, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { waitUntil } from "../until.js";
import type { Block } from "./blocks.js";
import { bootMachine, type Closing, findNpm, type Machine, prepareBase, startNetwork } from "./machines.js";

/** Addresses as in `cluster.env`. The shop's address is public, because webhooks may be sent only to public addresses. */
export const ADDRESSES = {
  one: "10.0.0.1",
  two: "10.0.0.2",
  three: "10.0.0.3",
  "api-one": "10.0.0.11",
  "api-two": "10.0.0.12",
  balancer: "10.0.0.21",
  shop: "93.184.215.14",
} as const;
const DATABASES = ["one", "two", "three"];
const APIS = ["api-one", "api-two"];
const FRESH = "fresh-";
const HEAL_LIMIT_MS = 180_000;
const CLUSTER = "/root/cluster";
/** Files that are copied from machine one, where the guide creates them. */
const SHARED = ["secrets.env", "ca.crt"];
const SETTINGS = "etc/tillgate";

const membersSchema = z.array(
  z.object({ Member: z.string(), Role: z.string(), State: z.string(), "Lag in MB": z.unknown().optional() }),
);
type Members = z.output<typeof membersSchema>;

export type Guide = {
  machine(name: string): Machine;
  /** Executes a block on all of its machines. @returns their output. */
  execute(block: Block): Promise<string>;
  /** Runs a script on one machine. @returns its output. @throws Error with the output if it fails. */
  check(where: string, script: string): Promise<string>;
};

export async function startGuide(
  folder: string,
  documents: string,
  installs: readonly string[],
  closing: Closing,
): Promise<Guide> {
  const base = await prepareBase(installs);
  closing.push(await startNetwork(ADDRESSES));
  const machines = new Map<string, Machine>();
  const stops: Machine["stop"][] = [];
  // Stopped in parallel, because a suite has little time to clean up.
  closing.push(() => Promise.all(stops.map((stop) => stop())));
  const backups = path.join(folder, "backups");
  const program = path.resolve(import.meta.dirname, "../../..");
  const npm = await findNpm();
  const machine = (name: string): Machine => {
    const found = machines.get(name);
    if (found === undefined) throw new Error(`the guide refers to an unknown machine: ${name}`);
    return found;
  };
  const boot = async (name: string): Promise<void> => {
    const binds = DATABASES.includes(name) ? { "/mnt/backups": backups } : {};
    const booted = await bootMachine({
      name,
      base,
      folder,
      binds: {
        ...binds,
        "/opt/tillgate": program,
        "/usr/bin/node": process.execPath,
        "/usr/lib/node_modules/npm": npm,
      },
      onStop: (stop) => stops.push(stop),
    });
    machines.set(name, booted);
    await symlink("../lib/node_modules/npm/bin/npm-cli.js", path.join(booted.root, "usr/bin/npm"));
    const others = name === "shop" ? "10.0.0.0/24" : ADDRESSES.shop;
    await booted.run(`ip route add ${others} dev eth0`);
  };
  const check = async (where: string, script: string): Promise<string> => {
    const { code, text } = await machine(where === "leader" ? await leader() : where).run(script);
    if (code !== 0) throw new Error(`On ${where}: exit code ${code}\n${script}\n${text}`);
    return text;
  };
  const running = async (unit: string): Promise<string[]> => {
    const states = await Promise.all(
      DATABASES.map(async (name) => (await machine(name).run(`systemctl is-active ${unit}`)).text.trim()),
    );
    // Includes units that are being restarted at this moment.
    return DATABASES.filter((_name, at) => /^(active|activating)$/.test(states[at] ?? ""));
  };
  const members = async (): Promise<Members> => {
    const [first] = await running("patroni");
    if (first === undefined) throw new Error("no Patroni node is running");
    const { text } = await machine(first).run(
      "patronictl -c /etc/patroni/config.yml list -f json 2>/dev/null",
    );
    return membersSchema.parse(JSON.parse(text));
  };
  const leader = (): Promise<string> =>
    waitUntil(
      "a leader",
      HEAL_LIMIT_MS,
      async () =>
        (await members()).find(({ Role, State }) => Role === "Leader" && State === "running")?.Member,
    );
  /** Waits until one machine that runs Patroni leads, and the others are synchronous standbys without lag. */
  const settled = async (): Promise<void> => {
    const alive = await running("patroni");
    if (alive.length === 0) return;
    let last = "";
    await waitUntil("every machine follows the leader", HEAL_LIMIT_MS, async () => {
      const list = (await members()).filter(({ Member }) => alive.includes(Member));
      last = JSON.stringify(list);
      const leads = list.filter(({ Role, State }) => Role === "Leader" && State === "running");
      const follows = list.filter(
        ({ Role, State, "Lag in MB": lag }) =>
          Role === "Sync Standby" && (State === "running" || State === "streaming") && lag === 0,
      );
      return (leads.length === 1 && follows.length === alive.length - 1) || undefined;
    }).catch((error: unknown) => {
      throw new Error(`${error}: ${last}`);
    });
  };
  /** Copies what an operator copies over SSH: the secrets, and each machine's own key. */
  const copySecrets = async (): Promise<void> => {
    const from = path.join(machine("one").root, CLUSTER);
    for (const name of [...DATABASES, ...APIS]) {
      if (name === "one") continue;
      const { root } = machine(name);
      const own = DATABASES.includes(name) ? [`${name}.key`, `${name}.crt`] : [];
      await cp(documents, path.join(root, CLUSTER), { recursive: true });
      for (const file of [...SHARED, "cluster.env", ...own])
        await cp(path.join(from, file), path.join(root, CLUSTER, file));
    }
  };
  /** Copies changed settings, as an operator does: both API machines have the same settings. */
  const copySettings = async (): Promise<void> => {
    const [from = "", to = ""] = APIS.map((name) => path.join(machine(name).root, SETTINGS));
    await rm(to, { recursive: true, force: true });
    await cp(from, to, { recursive: true });
  };
  let formerLeader = "";
  const resolve = async (where: string): Promise<string[]> => {
    if (where === "api") return APIS;
    if (where === "leader") {
      formerLeader = await leader();
      return [formerLeader];
    }
    if (where === "former-leader") return [formerLeader];
    if (where === "standbys") {
      const first = await leader();
      return DATABASES.filter((name) => name !== first);
    }
    if (where.startsWith(FRESH)) {
      // The machine is lost, and another machine replaces it.
      const name = where.slice(FRESH.length);
      await machine(name).stop();
      await boot(name);
      await copySecrets();
      return [name];
    }
    return [where];
  };
  await mkdir(backups);
  await chmod(backups, 0o777);
  await Promise.all(Object.keys(ADDRESSES).map(boot));
  for (const name of ["one", "balancer"])
    await cp(documents, path.join(machine(name).root, CLUSTER), { recursive: true });
  return {
    machine,
    check,
    async execute({ heading, where, text }) {
      const names = (await Promise.all(where.map(resolve))).flat();
      const first = text.trim().split("\n")[0];
      const outputs: string[] = [];
      const runOn = async (name: string): Promise<void> => {
        const startedAt = performance.now();
        const { code, text: output } = await machine(name).run(text, {
          withInternet: text.includes("apt-get update"),
        });
        console.log(
          `${heading}, ${name}: ${first} … ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`,
        );
        outputs.push(output);
        if (code !== 0) throw new Error(`${heading}, on ${name}: exit code ${code}\n${text}\n${output}`);
      };
      // Installations are independent; other blocks run on one machine after the other.
      if (/^sh \S+-machine\.sh\n$/.test(text)) await Promise.all(names.map(runOn)).then(settled);
      else
        for (const name of names) {
          await runOn(name);
          await settled();
        }
      if (text.includes("ca.key")) await copySecrets();
      if (text.includes(`/${SETTINGS}`) && where.includes("api-one")) await copySettings();
      return outputs.join("");
    },
  };
}
