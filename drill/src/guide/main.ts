import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Block, findShellBlocks } from "./blocks.js";
import { checkCluster } from "./checks.js";
import { startGuide } from "./guide.js";
import { runWithMachines } from "./machines.js";
import {
  checkStops,
  checkUnits,
  checkWrongKeys,
  openShop,
  payAround,
  prepareNetwork,
  proveLedger,
  type Shop,
} from "./tillgate.js";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const FOLDER = "deploy/high-availability";
const SERVICES = "Run Tillgate on two machines";
const BACKUPS = "Backups";
const RESTORE = "Restore";
const NEW_KEYS = "Rotate the keys";
const RESTORED_MOMENT = "2026-11-24 14:05:00+00";

const read = (file: string): Promise<string> => readFile(path.join(ROOT, file), "utf8");

/**
 * Inserts the blocks of the systemd guide into the chapter about the services: the first block before the chapter's first block, all other blocks
 * after it.
 */
function insertUnits(cluster: readonly Block[], units: readonly Block[]): Block[] {
  const at = cluster.findIndex(({ heading }) => heading === SERVICES);
  const [first = [], ...others] = [units.slice(0, 1), units.slice(1)].map((blocks) =>
    blocks.map((block) => ({ ...block, heading: SERVICES })),
  );
  return [
    ...cluster.slice(0, at),
    ...first,
    ...cluster.slice(at, at + 1),
    ...others.flat(),
    ...cluster.slice(at + 1),
  ];
}

/**
 * Executes the shell blocks of `deploy/high-availability/*.md` and `deploy/systemd/README.md` verbatim on booted Debian 12 machines. Once Tillgate is
 * running, makes a payment through the load balancer after each chapter.
 * @returns whether all blocks and checks succeeded.
 */
export const runGuide = ({ keep }: { keep: boolean }): Promise<boolean> =>
  runWithMachines({ name: "guide", keep }, async (folder, closing) => {
    const [cluster = [], operation = [], units = []] = (
      await Promise.all(
        [`${FOLDER}/README.md`, `${FOLDER}/operation.md`, "deploy/systemd/README.md"].map(read),
      )
    ).map(findShellBlocks);
    const blocks = [...insertUnits(cluster, units), ...operation];
    const scripts = await Promise.all(
      ["database-machine.sh", "api-machine.sh"].map((name) => read(`${FOLDER}/${name}`)),
    );
    const installs = scripts.flatMap((script) => script.match(/apt-get install .*$/gm) ?? []);
    const [addUser = ""] = /^adduser .*$/m.exec(await read("docs/production.md")) ?? [];
    const guide = await startGuide(folder, path.join(ROOT, FOLDER), installs, closing);

    let administrator = "";
    let opened: Shop | undefined;
    const shop = (): Shop => {
      if (opened === undefined) throw new Error(`the guide needs a chapter "${SERVICES}" before this one`);
      return opened;
    };
    let restored: Awaited<ReturnType<typeof payAround>> | undefined;
    let checkout = "";
    const enter: Record<string, () => Promise<unknown>> = {
      async [SERVICES]() {
        // The machines run this checkout. Of the installation, only the user is missing.
        for (const api of ["api-one", "api-two"]) await guide.check(api, addUser);
        await prepareNetwork(guide);
      },
      async [RESTORE]() {
        restored = await payAround(guide, shop());
      },
      async [NEW_KEYS]() {
        checkout = await shop().open();
      },
    };
    const leave: Record<string, () => Promise<unknown>> = {
      async [SERVICES]() {
        opened = await openShop(guide, administrator);
        await checkUnits(guide, opened);
        await checkStops(guide, opened);
      },
      [BACKUPS]: () => checkCluster(guide),
      [RESTORE]: async () => restored?.verify(),
      async [NEW_KEYS]() {
        await shop().pay(checkout);
        console.log("✓ an order, a page and an access token from before the key rotation are still valid");
        await checkWrongKeys(guide, shop());
      },
    };
    let chapter = "";
    const leaveChapter = async (): Promise<void> => {
      await leave[chapter]?.();
      await opened?.payEventually();
    };
    for (const block of blocks) {
      if (block.heading !== chapter) {
        await leaveChapter();
        chapter = block.heading;
        await enter[chapter]?.();
      }
      const text = block.text.replace(RESTORED_MOMENT, restored?.moment ?? RESTORED_MOMENT);
      const output = await guide.execute({ ...block, text });
      if (text.includes("administrators add")) administrator = output;
    }
    await leaveChapter();
    await shop().verify();
    await checkCluster(guide);
    await proveLedger(guide);
    console.log("Every command block of the guides succeeded, and every check passed.");
  });
