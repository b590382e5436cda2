import { mkdtemp, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { findMissingPrograms } from "../program.js";
import { blocksOf } from "./blocks.js";
import { checkCluster, startProbe } from "./checks.js";
import { startGuide } from "./guide.js";
import { type Closing, closeOnSignal } from "./machines.js";

const FOLDER = path.resolve(import.meta.dirname, "../../../deploy/high-availability");
const DOCUMENTS = ["README.md", "operation.md"];

/**
 * Executes the shell blocks of `deploy/high-availability/*.md`, word for word, on booted Debian 12 machines in network namespaces.
 * @param keep leaves the machines running. @returns whether all blocks succeeded and all checks are true.
 */
export async function runGuide({ keep }: { keep: boolean }): Promise<boolean> {
  const missing = findMissingPrograms(["debootstrap", "systemd-nspawn", "ip"]);
  if (process.getuid?.() !== 0 || missing.length > 0) {
    console.error("The guide needs root and Debian's packages debootstrap, systemd-container and iproute2.");
    return false;
  }
  // Not /tmp, which may be a tmpfs too small for five machines.
  const folder = await mkdtemp("/var/tmp/tillgate-guide-");
  const closing: Closing = [() => rm(folder, { recursive: true, force: true })];
  const close = closeOnSignal(closing);
  const read = (file: string): Promise<string> => readFile(path.join(FOLDER, file), "utf8");
  const blocks = (await Promise.all(DOCUMENTS.map(read))).flatMap(blocksOf);
  const installs = (await Promise.all(["database-machine.sh", "api-machine.sh"].map(read))).flatMap(
    (script) => script.match(/apt-get install .*$/gm) ?? [],
  );
  try {
    const guide = await startGuide(folder, FOLDER, installs, closing);
    let chapter = "";
    let probe: Awaited<ReturnType<typeof startProbe>> | undefined;
    for (const block of blocks) {
      if (block.where[0] === "settings") {
        await guide.writeSettings(block);
        continue;
      }
      if (block.heading !== chapter) {
        if (chapter === "Backups") {
          await checkCluster(guide);
          probe = await startProbe(guide);
        }
        await probe?.add();
        chapter = block.heading;
      }
      await guide.execute(block);
    }
    await probe?.verify();
    await checkCluster(guide);
    console.log("Every block of the guides succeeded, and every check is true.");
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  } finally {
    if (!keep) await close();
  }
}
