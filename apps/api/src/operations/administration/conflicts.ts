import { Refusal } from "@tillgate/contract";
import { refusedWith } from "../../operation-error.js";

/** Turns the database's "there is one already" into a sentence. */
export async function refuseDuplicate<Result>(
  sentence: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "P2002")
      throw refusedWith(Refusal.AlreadyExists, sentence);
    throw error;
  }
}
