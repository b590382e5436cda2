import { consolePage } from "#server/console-page.ts";

export const config = { unstable_runtimeJS: false };

/** Each mode has its own: the sandbox's come first. */
export default function ShoppersPage(): null {
  return null;
}

export const getServerSideProps = consolePage({
  load: async () => ({}),
  leadTo: () => "/admin/shoppers/sandbox",
});
