import type { ReactNode } from "react";
import { NotFound } from "#views/screen-view.tsx";

/** Overrides Next's own page, which ships its runtime. */
export const config = { unstable_runtimeJS: false };

export default function NotFoundPage(): ReactNode {
  return <NotFound />;
}
