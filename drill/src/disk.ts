import { execFile } from "node:child_process";
import { mkdir, rm, statfs } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { giveToAccount } from "./files.js";
import type { Account } from "./program.js";

/** Size of the disk, enough for the longest drill. The disk's file is sparse. */
const SIZE = "8G";
/** Maximum free space of a disk that counts as full; less than the size of a WAL file. */
const FULL_BYTES = 2 ** 20;
const execute = promisify(execFile);

/** Only root can mount disks. */
export const canMount = process.getuid?.() === 0;

export type Disk = {
  folder: string;
  /** The disk stays full until `free` is called. */
  fill(): Promise<void>;
  free(): Promise<void>;
  close(): Promise<void>;
};

/** Mounts a file as a disk. Without root, the database is in `home`, and its disk cannot be filled. */
export async function openDisk(home: string, account: Account | undefined): Promise<Disk> {
  if (!canMount) {
    const fill = (): Promise<never> =>
      Promise.reject(
        new Error(
          "Filling the disk requires root, because only root can mount a separate disk for the database.",
        ),
      );
    return { folder: home, fill, free: async () => {}, close: async () => {} };
  }
  const image = path.join(home, "disk.img");
  const folder = path.join(home, "disk");
  const ballast = path.join(folder, "ballast");
  await execute("truncate", ["--size", SIZE, image]);
  await execute("mkfs.ext4", ["-q", "-m", "0", image]);
  await mkdir(folder);
  await execute("mount", ["-o", "loop", image, folder]);
  await giveToAccount(folder, account);
  return {
    folder,
    async fill() {
      const { bavail, bsize } = await statfs(folder);
      // If the database takes space in the meantime, fallocate fails, but the disk is full as well.
      const failure = await execute("fallocate", ["--length", String(bavail * bsize), ballast]).then(
        () => undefined,
        (error: unknown) => error,
      );
      const left = (await statfs(folder)).bavail * bsize;
      if (left > FULL_BYTES) throw new Error(`${left} bytes of ${folder} are still free`, { cause: failure });
    },
    free: () => rm(ballast, { force: true }),
    async close() {
      await execute("umount", ["--lazy", folder]);
      await rm(image);
    },
  };
}
