import { withinFactor3 } from "../support/measuring/compare-windows.ts";
import { testFlood } from "./support/flood-test.ts";

testFlood(withinFactor3);
