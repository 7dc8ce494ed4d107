import { withinFactor3 } from "../support/measuring/compare-windows.ts";
import { testSlowClients } from "./support/slow-clients-test.ts";

testSlowClients(withinFactor3);
