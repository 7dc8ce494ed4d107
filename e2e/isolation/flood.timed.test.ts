import { testFlood } from "./support/flood-test.ts";

testFlood();
