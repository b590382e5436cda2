import { createContext, type ReactNode, useContext } from "react";
import { merchantPath } from "#paths.ts";
import type { MerchantContext, Page } from "#server/page.ts";
import { createFormats, type Formats } from "#texts/formats.ts";
import { type Translate, translator } from "#texts/texts.ts";

type PageContextValue = { page: Page; t: Translate; f: Formats };

const PageContext = createContext<PageContextValue | null>(null);

export function PageProvider({ page, children }: { page: Page; children: ReactNode }): ReactNode {
  const shown = { page, t: translator(page.language), f: createFormats(page.language, page.timeZone) };
  return <PageContext.Provider value={shown}>{children}</PageContext.Provider>;
}

export function usePage(): PageContextValue {
  const shown = useContext(PageContext);
  if (shown === null) throw new Error("usePage must be called inside a PageProvider.");
  return shown;
}

type MerchantPageValue = PageContextValue & {
  merchant: MerchantContext;
  to: (...parts: string[]) => string;
};

/** Extends {@link usePage} with the merchant and a function that builds the merchant's paths. @throws Error if the page has no merchant */
export function useMerchantPage(): MerchantPageValue {
  const shown = usePage();
  const { merchant } = shown.page;
  if (merchant === null) throw new Error("useMerchantPage must be called on a merchant page.");
  return {
    ...shown,
    merchant,
    to: (...parts) => merchantPath(merchant.merchantId, merchant.mode, ...parts),
  };
}

export const useMerchantPath = (): MerchantPageValue["to"] => useMerchantPage().to;
