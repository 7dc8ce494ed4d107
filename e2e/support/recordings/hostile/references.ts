import { gzipSync } from "node:zlib";
import { be32, box, bytes, element, riffChunk, wavWith, zipOf } from "../bytes.ts";
import type { Decoys, HostileFile, ValidFiles } from "./hostile-file.ts";

const hls = (...lines: readonly string[]) =>
  ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:10", ...lines, "#EXT-X-ENDLIST", ""].join("\n");
const segment = (address: string) => hls("#EXTINF:10.0,", address);

const dash = (address: string) => `<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT10S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011">
 <Period><AdaptationSet mimeType="audio/mp4" contentType="audio"><Representation id="1" bandwidth="64000" codecs="mp4a.40.2">
 <BaseURL>${address}</BaseURL><SegmentList duration="10"><Initialization sourceURL="${address}"/><SegmentURL media="${address}"/></SegmentList>
 </Representation></AdaptationSet></Period></MPD>`;

/** Playlists and similar formats. A decoder that follows them reads a file or connects to a server. */
function lists({ url, text, sound }: Decoys): Record<string, string> {
  const port = new URL(url).port;
  return {
    "HLS with a segment by http": segment(`${url}segment.ts`),
    "HLS with an audio segment by http": segment(`${url}segment.wav`),
    "HLS with a file as segment": segment(sound),
    "HLS with a file address as segment": segment(`file://${sound}`),
    "HLS with a text as segment": segment(text),
    "HLS with variants": `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${url}low.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\n${sound}\n`,
    "HLS with another rendition": `#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",URI="${url}a.m3u8"\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"\n${url}b.m3u8\n`,
    "HLS with a key and a map": hls(
      `#EXT-X-KEY:METHOD=AES-128,URI="${url}key"`,
      `#EXT-X-MAP:URI="${url}map.mp4"`,
      "#EXTINF:10,",
      `file://${sound}`,
    ),
    "HLS with a concatenation": segment(`concat:${url}header|file:${text}`),
    "HLS with a part of a file": segment(`subfile,,start,0,end,100,,:${text}`),
    "HLS with data": segment("data:audio/wav;base64,UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="),
    "HLS with a bare connection": segment(`tcp://127.0.0.1:${port}`),
    "HLS with gopher": segment(`gopher://127.0.0.1:${port}/_x`),
    "HLS with encryption over a file": segment(`crypto+file://${sound}`),
    "HLS with a cache over http": segment(`cache:${url}cached`),
    "HLS disguised as WAV": segment(`${url}call.wav`).replace("#EXT-X-VERSION:3", "#RIFF....WAVEfmt "),
    "DASH by http": dash(`${url}dash.mp4`),
    "DASH by file": dash(`file://${sound}`),
    SDP: `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\na=control:${url.replace("http", "rtsp")}\nm=audio ${port} RTP/AVP 0\n`,
    "ffconcat by http": `ffconcat version 1.0\nfile '${url}call.wav'\nduration 10\n`,
    "ffconcat by file": `ffconcat version 1.0\nfile '${sound}'\nfile '${text}'\n`,
    "ffconcat with options": `ffconcat version 1.0\nfile '${sound}'\noption safe 0\nfile_packet_meta a b\nstream\n`,
    "a list of files": `file '${sound}'\nfile '${url}call.wav'\n`,
    ASX: `<asx version="3.0"><entry><ref href="${url}call.wma"/></entry><entry><ref href="file://${sound}"/></entry></asx>`,
    SMIL: `<smil><body><seq><audio src="${url}call.wav"/><audio src="file://${sound}"/></seq></body></smil>`,
    XSPF: `<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><location>${url}x</location></track></trackList></playlist>`,
    "XML with an external entity": `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file://${text}"><!ENTITY b SYSTEM "${url}dtd">]><MPD>&a;&b;</MPD>`,
    "IMF composition": `<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"><Id>urn:uuid:00000000-0000-0000-0000-000000000000</Id><ContentTitle>${text}</ContentTitle><EditRate>25 1</EditRate><SegmentList/></CompositionPlaylist>`,
    PLS: `[playlist]\nFile1=${url}call.wav\nFile2=${sound}\nNumberOfEntries=2\nVersion=2\n`,
    "an ASF redirection": `[Reference]\nRef1=${url}call.asf?MSWMExt=.asf\n`,
    "a RealMedia list": `rtsp://127.0.0.1:${port}/call.rm\n${url}call.rm\n`,
    "a cue sheet": `FILE "${sound}" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n`,
    "a VobSub index": `# VobSub index file, v7 (do not modify this line!)\nid: en, index: 0\ntimestamp: 00:00:00:000, filepos: 000000000\n`,
    "a subtitle that references a file": `1\n00:00:00,000 --> 00:00:10,000\n<img src="file://${text}"> {\\1img(${text})}\n`,
    "styled subtitles": `[Script Info]\nScriptType: v4.00+\nVideo File: ${url}v.mp4\nAudio File: ${sound}\n\n[Events]\nFormat: Start, End, Text\nDialogue: 0:00:00.00,0:00:10.00,{\\1img(${text})}x\n`,
    WebVTT: `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n00:00.000 --> 00:10.000\n${url}\n`,
    "an ffmpeg metadata file": `;FFMETADATA1\ntitle=${text}\n[STREAM]\nfile=${url}\n`,
    "a filter graph": `amovie=${sound},anullsink\n`,
    "an AviSynth script": `WavSource("${sound}")\n`,
    HTML: `<!doctype html><audio src="${url}call.wav" autoplay></audio><script src="${url}x.js"></script>`,
    "a shell script": `#!/bin/sh\ncurl ${url}; cat ${text}\n`,
    "a Cygwin link": `!<symlink>${sound}\0`,
    "a path": `${sound}\n`,
    "a URL": `${url}call.wav\n`,
  };
}

const containers = new Set(["moov", "trak", "mdia", "minf", "dinf"]);

/** Replaces the data reference of an MP4. */
function withPlace(mp4: Buffer, place: Buffer): Buffer {
  const out: Buffer[] = [];
  for (let at = 0; at + 8 <= mp4.length; ) {
    const size = mp4.readUInt32BE(at);
    const type = mp4.toString("latin1", at + 4, at + 8);
    const content = mp4.subarray(at + 8, at + size);
    if (type === "dref") out.push(place);
    else out.push(containers.has(type) ? box(type, withPlace(content, place)) : mp4.subarray(at, at + size));
    at += size;
  }
  return Buffer.concat(out);
}
const drefTo = (type: string, address: string) => box("dref", be32(0), be32(1), box(type, be32(0), address, [0]));

const matroskaHead = element("1A45DFA3", element("4282", "matroska"), element("4287", [4]), element("4285", [2]));

function insideContainers({ url, text, sound }: Decoys, { wav, m4a, mp3, webm }: ValidFiles): HostileFile[] {
  const playlist = Buffer.from(segment(`${url}inside.ts`));
  const attachment = element(
    "1941A469",
    element(
      "61A7",
      element("466E", text),
      element("4660", "application/vnd.apple.mpegurl"),
      element("465C", playlist),
      element("46AE", [1]),
    ),
  );
  const links = element(
    "1549A966",
    element("2AD7B1", [0x0f, 0x42, 0x40]),
    element("3C83AB", text),
    element("3E83BB", `${url}next.mkv`),
    element("3EB923", Buffer.alloc(16, 1)),
  );
  const file = (name: string, format: string, content: Buffer): HostileFile => ({ name, format, bytes: content });
  return [
    file("MP4 whose audio is at an address", "m4a", withPlace(m4a, drefTo("url ", `${url}audio.mp4`))),
    file("MP4 whose audio is in a file", "m4a", withPlace(m4a, drefTo("url ", `file://${sound}`))),
    file(
      "MP4 whose audio is behind an alias",
      "m4a",
      withPlace(m4a, box("dref", be32(0), be32(1), box("alis", be32(0), Buffer.alloc(150, sound)))),
    ),
    file(
      "MP4 that only refers to another",
      "m4a",
      bytes(
        box("ftyp", "qt  ", be32(0), "qt  "),
        box("moov", box("rmra", box("rmda", box("rdrf", be32(0), "url ", be32(url.length), url)))),
      ),
    ),
    file(
      "Matroska with links and an attached playlist",
      "webm",
      bytes(
        matroskaHead,
        element("18538067", links, attachment, webm.subarray(webm.indexOf(Buffer.from("1654AE6B", "hex")))),
      ),
    ),
    file("a playlist behind an ID3 tag", "mp3", bytes("ID3\x04\0\0\0\0\0\x0a", Buffer.alloc(10), playlist)),
    file("MP3 with a playlist behind it", "mp3", bytes(mp3, playlist)),
    file("WAV with a playlist in a chunk", "wav", wavWith({ before: riffChunk("LIST", playlist) })),
    file("WAV whose audio is a playlist", "wav", wavWith({}, playlist)),
    file("WAV and playlist in one", "wav", bytes(playlist, wav)),
    file("zip of a playlist", "wav", zipOf("call.m3u8", playlist)),
    file("gzip of a playlist", "wav", gzipSync(playlist)),
    file("HLS as Ogg", "ogg", bytes(playlist)),
    file("HLS as M4A", "m4a", bytes(playlist)),
    file("HLS as MP3", "mp3", bytes(playlist)),
    file("HLS as AMR", "amr", bytes(playlist)),
    file("concat list as AAC", "aac", Buffer.from(`ffconcat version 1.0\nfile '${sound}'\n`)),
    file("DASH as WebM", "webm", Buffer.from(dash(`${url}dash.webm`))),
  ];
}

/** Files that reference another file or a server. */
export function hostileReferences(decoys: Decoys, validFiles: ValidFiles): HostileFile[] {
  const texts = Object.entries(lists(decoys)).map(([name, text]) => ({
    name,
    format: "wav",
    bytes: Buffer.from(text),
  }));
  return [...texts, ...insideContainers(decoys, validFiles)];
}
