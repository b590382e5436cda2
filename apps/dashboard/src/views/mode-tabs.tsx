import { modeSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { pathOf } from "../place-path";
import { usePage } from "./use-page";

/** The same page of both modes, for pages of administration that have one. */
export function ModeTabs({ section, mode }: { section: string; mode: string }): ReactNode {
  const { t } = usePage();
  return (
    <nav className="modes" aria-label={t("frame.mode")}>
      {modeSchema.options.map((one) => (
        <a
          key={one}
          href={pathOf("admin", section, one)}
          aria-current={one === mode ? "page" : undefined}
          data-mode={one}
        >
          {t(`mode.${one}`)}
        </a>
      ))}
    </nav>
  );
}
