import type { ReactNode } from "react";
import { placePath } from "../place-path";
import type { TextKey } from "../texts/texts";
import { usePage } from "./use-page";

const TABS = [
  ["keys", []],
  ["requests", ["requests"]],
  ["reference", ["reference"]],
] as const;

/** The pages of developers, beside the title of each. */
export function DeveloperTabs({ current }: { current: (typeof TABS)[number][0] }): ReactNode {
  const { page, t } = usePage();
  const { place } = page;
  if (place === null) return null;
  return (
    <nav className="modes" aria-label={t("nav.developers")}>
      {TABS.map(([name, parts]) => {
        const key: TextKey = `developers.${name}`;
        return (
          <a
            key={name}
            href={placePath(place.merchantId, place.mode, "developers", ...parts)}
            aria-current={name === current ? "page" : undefined}
          >
            {t(key)}
          </a>
        );
      })}
    </nav>
  );
}
