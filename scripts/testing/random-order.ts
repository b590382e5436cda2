import { createHash } from "node:crypto";
import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that start whole programs take longest. Begun last, one of them would run on alone. */
const LONG = /^(stack|scripts)\/|processes\.test\.ts$/;

/** Another order of the files in each run, the same for the same seed; the long ones first. */
export class RandomOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    this.ctx.logger.log(`The order of the files is that of --sequence.seed=${sequence.seed}`);
    const placed = files.map((file) => {
      const name = path.relative(root, file.moduleId);
      const place = createHash("sha256").update(`${sequence.seed} ${name}`).digest("hex");
      return { file, place: `${LONG.test(name) ? 0 : 1} ${place}` };
    });
    return placed.sort((a, b) => (a.place < b.place ? -1 : 1)).map(({ file }) => file);
  }
}
