/** Handles the rejection of a file operation: returns undefined if the file is missing, and rethrows other errors. */
export function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  return undefined;
}
