/** Whether the start of an answer is a web page: then a page, and no webhook handler, may have answered. */
export const isWebPage = (answerStart: string | null): boolean =>
  /^\s*(<!--[\s\S]*?-->\s*)*(<!doctype html|<html)\b/i.test(answerStart ?? "");
