// Lints openapi.json with Redocly's recommended rules.
import { createConfig, lint } from "@redocly/openapi-core";

const config = await createConfig({ extends: ["recommended"] });
const problems = await lint({ ref: "openapi.json", config });
for (const { severity, ruleId, message, location } of problems) {
  console.error(`openapi.json: ${severity}: ${ruleId}: ${message} (${location[0]?.pointer ?? "#/"})`);
}
process.exit(problems.length > 0 ? 1 : 0);
