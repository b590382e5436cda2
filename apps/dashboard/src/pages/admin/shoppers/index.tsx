import { consolePage } from "#server/console-page.ts";

export const config = { unstable_runtimeJS: false };

export default function ShoppersPage(): null {
  return null;
}

export const getServerSideProps = consolePage({
  load: async () => ({}),
  redirectTo: () => "/admin/shoppers/sandbox",
});
