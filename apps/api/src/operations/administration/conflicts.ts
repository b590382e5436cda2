import { Refusal } from "@tillgate/contract";
import { refusedWith } from "../../operation-error.js";

/** Whether Prisma refused a row because there is one already. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "P2002";

/** Turns the database's "there is one already" into a sentence. */
export async function refuseDuplicate<Result>(
  sentence: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isDuplicate(error)) throw refusedWith(Refusal.AlreadyExists, sentence);
    throw error;
  }
}
