import type { ReactNode } from "react";

/** An HTTP status, with the refusal's code; its colour only helps. */
export function StatusCode({ status, code }: { status: number | null; code: string | null }): ReactNode {
  if (status === null) return "–";
  const tone = status >= 500 ? "bad" : status >= 400 ? "late" : "good";
  return (
    <>
      <span className={`badge ${tone}`}>{status}</span> {code ? <code>{code}</code> : null}
    </>
  );
}
