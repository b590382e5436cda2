import { createHash } from "node:crypto";
import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files, which start whole services or wait for deliveries. They start first, so that none of them runs alone at the end. */
const SLOW_FILES = /^(stack|scripts)\/|\/outbox\/|processes\.test\.ts$/;

/** Shuffles the files by seed, with the slow files first. */
export class RandomOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    this.ctx.logger.log(`Test files shuffled with --sequence.seed=${sequence.seed}`);
    const keyed = files.map((file) => {
      const name = path.relative(root, file.moduleId);
      const sortKey = createHash("sha256").update(`${sequence.seed} ${name}`).digest("hex");
      return { file, sortKey: `${SLOW_FILES.test(name) ? 0 : 1} ${sortKey}` };
    });
    return keyed.sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1)).map(({ file }) => file);
  }
}
