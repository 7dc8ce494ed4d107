import { testSlowClients } from "./support/slow-clients-test.ts";

testSlowClients();
