import type { ReactNode } from "react";
import { NotFound } from "#views/screen-view.tsx";

/** Next's own 404 ships its whole runtime; this one ships none. */
export const config = { unstable_runtimeJS: false };

export default function NotFoundPage(): ReactNode {
  return <NotFound />;
}
