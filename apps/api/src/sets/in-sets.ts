import type { Context } from "../context.js";
import { createQueue } from "./queue.js";
import type { SetWork } from "./set-work.js";

/**
 * Does one item: alone, or together with others that came meanwhile.
 * @throws what `work.alone` throws; UnavailableError when too many of its lane wait.
 */
export function inSets<Item, Done>(context: Context, work: SetWork<Item, Done>, item: Item): Promise<Done> {
  const { setQueues } = context.memory;
  const known = setQueues.get(work) as ((item: Item) => Promise<Done>) | undefined;
  const queue = known ?? createQueue(context, work, context.config);
  if (!known) setQueues.set(work, queue);
  return queue(item);
}
