import { createContext, type ReactNode, useContext } from "react";
import { merchantPath } from "#paths.ts";
import type { Page } from "#server/page.ts";
import { createFormats, type Formats } from "#texts/formats.ts";
import { type Translate, translator } from "#texts/texts.ts";

type PageContextValue = { page: Page; t: Translate; f: Formats };

const PageContext = createContext<PageContextValue | null>(null);

export function PageProvider({ page, children }: { page: Page; children: ReactNode }): ReactNode {
  const shown = { page, t: translator(page.language), f: createFormats(page.language, page.timeZone) };
  return <PageContext.Provider value={shown}>{children}</PageContext.Provider>;
}

/** Returns the page's data, texts and formats. */
export function usePage(): PageContextValue {
  const shown = useContext(PageContext);
  if (shown === null) throw new Error("usePage must be called inside a PageProvider.");
  return shown;
}

/** Returns a function that builds paths of the merchant's pages; on a page without a merchant, that function returns an empty string. */
export function useMerchantPath(): (...parts: string[]) => string {
  const { merchant } = usePage().page;
  return (...parts) => (merchant === null ? "" : merchantPath(merchant.merchantId, merchant.mode, ...parts));
}
