import { expect, test } from "vitest";
import { parseEnvironmentFile } from "./environment-file.ts";

// The results of systemd's EnvironmentFile=.
test.each<[string, string, string]>([
  ["spaces and angle brackets", "A=Acme <a@b.c>", "Acme <a@b.c>"],
  ["characters of a shell", "A=x&y;z|$HOME`id`$(id)*?~!#", "x&y;z|$HOME`id`$(id)*?~!#"],
  ["spaces around", "  A = b c \t", "b c"],
  ["no value", "A=", ""],
  ["an equals sign in the value", "A=b=c", "b=c"],
  ["single quotes", "A='b  \"c\" \\ $d '", 'b  "c" \\ $d '],
  ["double quotes", 'A="b \'c\' \\"d\\" \\\\ \\$e \\`f \\n"', "b 'c' \"d\" \\ $e `f \\n"],
  ["quotes one after the other", "A='b' \"c\"d", "bcd"],
  ["quotes inside of a value", "A=b'c'\"d\"", "b'c'\"d\""],
  ["several lines in quotes", "A='b\nc'\n", "b\nc"],
  ["a continued line", "A=b\\\nc", "bc"],
  ["a continued line in double quotes", 'A="b\\\nc"', "bc"],
  ["backslashes", "A=\\b\\ \\\\\\  ", "b \\ "],
  ["the last of two", "A=b\nA=c", "c"],
  ["line ends of Windows", "A=b\r\nC=d\r\n", "b"],
  ["comments", "# A=c\n;A=d\nA=b\n  # A=e\\\n", "b"],
  ["a quote that is not closed", "A='b\nC=d", "b\nC=d"],
])("reads %s", (_, text, value) => {
  const { settings, ignored } = parseEnvironmentFile(text);
  expect([settings.A, ignored]).toEqual([value, []]);
});

test("names the lines that are no settings", () => {
  const text = "A=1\nexport B=2\n\nC\n1D=3\nE='4\n5'\nF: 6\nG=7";
  expect(parseEnvironmentFile(text)).toEqual({ settings: { A: "1", E: "4\n5", G: "7" }, ignored: [2, 4, 5, 8] });
});
