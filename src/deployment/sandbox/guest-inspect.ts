/** The name of the guest code in stack traces; frames of it are left out of what people see. */
export const guestName = "tandem-guest";

/**
 * The first half of the guest code: `inspect(value, [], "")` and `errorText(error)` write a value as Node would. They
 * keep their own references to what they use, because the function may replace every global, and they call no code
 * of the value but the traps of a Proxy.
 */
export const inspectSource = String.raw`
  const { stringify, parse } = JSON;
  const { apply, ownKeys, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;
  const { isArray } = Array;
  const ErrorClass = Error, DateClass = Date, RegExpClass = RegExp, MapClass = Map, SetClass = Set, PromiseClass = Promise;
  const TypeErrorClass = TypeError, StringOf = String, NumberOf = Number;
  const slice = String.prototype.slice, split = String.prototype.split, replaceAll = String.prototype.replaceAll;
  const includes = String.prototype.includes, test = RegExp.prototype.test, join = Array.prototype.join;
  const push = Array.prototype.push, pop = Array.prototype.pop;
  const iso = Date.prototype.toISOString, source = RegExp.prototype.toString, symbolText = Symbol.prototype.toString;
  const mapEach = Map.prototype.forEach, setEach = Set.prototype.forEach, text = Function.prototype.toString;
  const plainObject = Object.prototype, plainArray = Array.prototype;
  const identifier = /^[A-Za-z_$][\w$]*$/;
  const maxItems = 100, maxDepth = 2, lineWidth = 72;

  const call = (method, self, ...values) => apply(method, self, values);
  const add = (list, item) => call(push, list, item);
  const quote = (value) => {
    const json = call(slice, stringify(value), 1, -1);
    return "'" + call(replaceAll, call(replaceAll, json, '\\"', '"'), "'", "\\'") + "'";
  };

  const isA = (value, Class) => {
    for (let at = value, steps = 0; at !== null && steps < 50; steps++) {
      at = getPrototypeOf(at);
      if (at === Class.prototype) return true;
    }
    return false;
  };

  const dataOf = (object, name) => {
    for (let at = object, steps = 0; at !== null && steps < 50; steps++) {
      const property = getOwnPropertyDescriptor(at, name);
      if (property !== undefined) return "value" in property ? property.value : undefined;
      at = getPrototypeOf(at);
    }
    return undefined;
  };

  const framesOf = (stack) => {
    const kept = [];
    for (const line of call(split, stack, "\n")) {
      if (line !== "" && !call(includes, line, "${guestName}")) add(kept, line);
    }
    return call(join, kept, "\n");
  };

  const errorText = (error) => {
    const name = dataOf(error, "name"), message = dataOf(error, "message"), stack = dataOf(error, "stack");
    let head = typeof name === "string" && name !== "" ? name : "Error";
    if (typeof message === "string" && message !== "") head += ": " + message;
    const frames = typeof stack === "string" ? framesOf(stack) : "";
    return frames === "" ? head : head + "\n" + frames;
  };

  const typeName = (object) => {
    const prototype = getPrototypeOf(object);
    if (prototype === null) return "[Object: null prototype]";
    const maker = dataOf(prototype, "constructor");
    const name = typeof maker === "function" ? dataOf(maker, "name") : undefined;
    return typeof name === "string" ? name : "";
  };

  const functionText = (value) => {
    const name = dataOf(value, "name");
    const kind = call(test, /^class\b/, call(text, value)) ? "class" : "Function";
    if (typeof name !== "string" || name === "") return "[" + (kind === "class" ? "class" : "Function") + " (anonymous)]";
    return kind === "class" ? "[class " + name + "]" : "[Function: " + name + "]";
  };

  const layout = (open, items, close, indent) => {
    if (items.length === 0) return open + close;
    let width = open.length, broken = false;
    for (const item of items) {
      width += item.length + 2;
      if (call(includes, item, "\n")) broken = true;
    }
    if (!broken && width + indent.length <= lineWidth) return open + " " + call(join, items, ", ") + " " + close;
    return open + "\n" + indent + "  " + call(join, items, ",\n" + indent + "  ") + "\n" + indent + close;
  };

  const keyText = (key) => {
    if (typeof key === "symbol") return "[" + call(symbolText, key) + "]";
    return call(test, identifier, key) ? key : quote(key);
  };

  const propertyText = (object, key, seen, indent) => {
    const property = getOwnPropertyDescriptor(object, key);
    if (property === undefined) return "undefined";
    if ("value" in property) return inspect(property.value, seen, indent + "  ");
    if (property.get === undefined) return "[Setter]";
    return property.set === undefined ? "[Getter]" : "[Getter/Setter]";
  };

  const membersOf = (object, seen, indent, skip) => {
    const items = [];
    let left = 0;
    for (const key of ownKeys(object)) {
      if (skip(key)) continue;
      const property = getOwnPropertyDescriptor(object, key);
      if (property === undefined || !property.enumerable) continue;
      if (items.length >= maxItems) left++;
      else add(items, keyText(key) + ": " + propertyText(object, key, seen, indent));
    }
    if (left > 0) add(items, "... " + left + " more");
    return items;
  };

  const isIndex = (key) => typeof key === "string" && call(test, /^\d+$/, key);

  const arrayText = (list, seen, indent) => {
    const items = [];
    let holes = 0;
    const flush = () => {
      if (holes > 0) add(items, "<" + holes + " empty item" + (holes === 1 ? "" : "s") + ">");
      holes = 0;
    };
    const length = NumberOf(getOwnPropertyDescriptor(list, "length").value);
    const shown = length < maxItems ? length : maxItems;
    for (let i = 0; i < shown; i++) {
      if (getOwnPropertyDescriptor(list, StringOf(i)) === undefined) holes++;
      else {
        flush();
        add(items, propertyText(list, StringOf(i), seen, indent));
      }
    }
    flush();
    if (length > shown) add(items, "... " + (length - shown) + " more item" + (length - shown === 1 ? "" : "s"));
    for (const item of membersOf(list, seen, indent, (key) => key === "length" || isIndex(key))) add(items, item);
    return layout("[", items, "]", indent);
  };

  const collectionText = (value, seen, indent) => {
    const items = [];
    let size = 0;
    const inner = indent + "  ";
    if (isA(value, MapClass)) {
      call(mapEach, value, (item, key) => {
        if (size++ < maxItems) add(items, inspect(key, seen, inner) + " => " + inspect(item, seen, inner));
      });
      if (size > maxItems) add(items, "... " + (size - maxItems) + " more items");
      return layout("Map(" + size + ") {", items, "}", indent);
    }
    call(setEach, value, (item) => {
      if (size++ < maxItems) add(items, inspect(item, seen, inner));
    });
    if (size > maxItems) add(items, "... " + (size - maxItems) + " more items");
    return layout("Set(" + size + ") {", items, "}", indent);
  };

  const objectText = (value, seen, indent) => {
    if (isArray(value)) return arrayText(value, seen, indent);
    if (isA(value, MapClass) || isA(value, SetClass)) return collectionText(value, seen, indent);
    const name = typeName(value);
    const members = membersOf(value, seen, indent, () => false);
    return layout((name === "Object" || name === "" ? "" : name + " ") + "{", members, "}", indent);
  };

  const errorObject = (error, seen, indent) => {
    const own = membersOf(error, seen, indent, (key) => key === "stack" || key === "message" || key === "name");
    const cause = getOwnPropertyDescriptor(error, "cause");
    if (cause !== undefined && "value" in cause && !cause.enumerable) add(own, "[cause]: " + inspect(cause.value, seen, indent + "  "));
    return own.length === 0 ? errorText(error) : layout(errorText(error) + " {", own, "}", indent);
  };

  const primitive = (value) => {
    if (typeof value === "string") return quote(value);
    if (typeof value === "bigint") return StringOf(value) + "n";
    if (typeof value === "symbol") return call(symbolText, value);
    if (value === 0 && 1 / value < 0) return "-0";
    return StringOf(value);
  };

  const inspect = (value, seen, indent) => {
    if ((typeof value !== "object" || value === null) && typeof value !== "function") return primitive(value);
    try {
      if (typeof value === "function") return functionText(value);
      for (const outer of seen) if (outer === value) return "[Circular]";
      if (isA(value, ErrorClass)) {
        if (seen.length > maxDepth) return "[" + errorText(value) + "]";
      } else if (isA(value, DateClass)) return call(iso, value);
      else if (isA(value, RegExpClass)) return call(source, value);
      else if (isA(value, PromiseClass)) return "Promise {}";
      else if (seen.length > maxDepth) return isArray(value) ? "[Array]" : "[" + (typeName(value) || "Object") + "]";
      add(seen, value);
      const shown = isA(value, ErrorClass) ? errorObject(value, seen, indent) : objectText(value, seen, indent);
      call(pop, seen);
      return shown;
    } catch {
      return "[an object that cannot be inspected]";
    }
  };
`;
