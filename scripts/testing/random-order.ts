import { createHash } from "node:crypto";
import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that start whole services or wait for deliveries take longest. Started last, one of them would run alone at the end. */
const SLOW_FILES = /^(stack|scripts)\/|\/outbox\/|processes\.test\.ts$/;

/** Shuffles the files by seed, slow ones first. */
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
