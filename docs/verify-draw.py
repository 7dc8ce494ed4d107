#!/usr/bin/env python3
"""Verifies proofs of draws without Hearback: python3 verify-draw.py FILE... Needs Python 3.8 and nothing else."""
import hashlib, hmac, json, sys

def sha(data): return hashlib.sha256(data).digest()
def mac(key, data): return hmac.new(key, data, hashlib.sha256).digest()
def node(left, right): return sha(b"\x01" + left + right)

def tree(leaves):  # RFC 6962, section 2.1
    if not leaves: return sha(b"")
    level = [sha(b"\x00" + leaf) for leaf in leaves]
    while len(level) > 1:
        odd = [level[-1]] if len(level) % 2 else []
        level = [node(a, b) for a, b in zip(level[::2], level[1::2])] + odd
    return level[0]

def climb(leaf, index, size, path):  # from one agent's root to the root of the frame
    sides, at, left = [], index, size
    while left > 1:
        split = 1 << ((left - 1).bit_length() - 1)
        sides.append(at < split)
        at, left = (at, split) if at < split else (at - split, left - split)
    root = sha(b"\x00" + leaf)
    if index >= size or len(sides) != len(path): return None
    for is_left, other in zip(reversed(sides), path):
        root = node(root, bytes.fromhex(other)) if is_left else node(bytes.fromhex(other), root)
    return root

def canonical(rules):  # RFC 8785, for texts, whole numbers, lists and objects
    return json.dumps(rules, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()

def check(truth, message):
    if not truth: raise ValueError(message)

def verify(path):
    with open(path, encoding="utf-8") as file:
        head, *agents = [json.loads(line) for line in file if line.strip()]
    check(head["format"] == "hearback.draw/1", "unknown format")
    key, root = bytes.fromhex(head["key"]), bytes.fromhex(head["root"])
    check(key.hex() == head["key"] and sha(key).hex() == head["commitment"], "the key is not the one that was committed to")
    seed = mac(key, sha(canonical(head["rules"])) + head["period"].encode() + root + head["nonce"].encode())
    rules, single, drawn, erased = head["rules"], any("path" in agent for agent in agents), 0, 0
    if single: check(len(agents) == 1, "a proof of one agent has one")
    else:
        check([agent["index"] for agent in agents] == list(range(head["agents"])), "agents are missing")
        check(tree([bytes.fromhex(agent["root"]) for agent in agents]) == root, "the agents do not give the root")
        known = [agent["agent_id"] for agent in agents if agent["agent_id"]]
        check(all(a < b for a, b in zip(known, known[1:])), "agents are not in order")
        calls = sum(len(agent.get("calls", [])) for agent in agents)
        check(len(known) < len(agents) or calls == head["calls"], "calls are missing")
    second = head.get("second") or {"key": None}
    if second["key"]:
        extra = bytes.fromhex(second["key"])
        check(extra.hex() == second["key"] and sha(extra).hex() == second["commitment"], "the second key is not the one that was committed to")
        extra, largest, tickets, listed = mac(extra, seed), second["limit"] or "", [], 0
    for agent in agents:
        name, own = agent["agent_id"], bytes.fromhex(agent["root"])
        if single: check(climb(own, agent["index"], head["agents"], agent["path"]) == root, f"{name}: not in the frame")
        if not second["key"]: check(not agent.get("second"), f"{name}: second reviews without a key")
        if name is None and "calls" not in agent:  # the root was checked
            erased += 1
            continue
        calls, skipped = agent["calls"], [skip["call_id"] for skip in agent.get("skipped", [])]
        check(all(a < b for a, b in zip(calls, calls[1:])), f"{name}: calls are not in order")
        check(tree([call.encode() for call in calls]) == own, f"{name}: calls do not give the root")
        most, limit = min(rules["per_agent"], len(calls)), rules.get("monthly_limit")
        permitted = [most] if limit is None else range(min(most, limit) + 1)
        check(agent["take"] in permitted, f"{name}: not as many calls as the rules say")
        winners = sorted(calls, key=lambda call: mac(seed, call.encode()))[: agent["take"] + len(skipped)]
        check(agent.get("drawn", []) == winners, f"{name}: the smallest tickets belong to {winners}")
        check(len(set(skipped)) == len(skipped), f"{name}: a call was skipped twice")
        check(set(skipped) <= set(winners), f"{name}: a skipped call was not drawn")
        drawn += len(winners)
        if second["key"]:  # the calls whose ticket is not above the limit
            chosen = {call: mac(extra, call.encode()).hex() for call in winners}
            expected = sorted(call for call in chosen if chosen[call] <= largest)
            check(agent.get("second", []) == expected, f"{name}: second reviews are to be those of {expected}")
            first = [chosen[call] for call in winners[: agent["take"]]]  # the others replace skipped calls
            tickets, listed = tickets + first, listed + sum(ticket <= largest for ticket in first)
    if second["key"] and not single:
        share = (sum(agent["take"] for agent in agents) * second["percent"] + 50) // 100
        check(listed == share and (largest in tickets) == (share > 0) or erased and listed <= share, f"{share} calls are to get a second review")
    counts = f"{len(agents)} of {head['agents']} agents ({erased} erased), {drawn} drawn calls"
    return f"{counts}\n  commitment {head['commitment']}\n  rules      {sha(canonical(rules)).hex()}"

failed = 0
for name in sys.argv[1:]:
    try: print(f"{name}: correct, {verify(name)}")
    except KeyError as problem: failed, _ = 1, print(f"{name}: REFUSED, {problem} is missing")
    except (ValueError, TypeError, OSError) as problem: failed, _ = 1, print(f"{name}: REFUSED, {problem}")
if len(sys.argv) < 2: sys.exit(__doc__)
sys.exit(failed)
