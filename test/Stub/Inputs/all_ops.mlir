// Every operation of a launch program in every type; the kernel gets all results. all_ops_test.cpp compares what
// the stub computes with what the interpreter does.
module {
  tile.kernel @all_kernel(%x0: i8, %x1: i8, %x2: i8, %x3: i8, %x4: i8, %x5: i8, %x6: i8, %x7: i8, %x8: i8, %x9: i8,
      %x10: i8, %x11: i8, %x12: i8, %x13: i8, %x14: i8, %x15: i8, %x16: i8, %x17: i8, %x18: i8, %x19: i8, %x20: i8,
      %x21: i1, %x22: i1, %x23: i1, %x24: i1, %x25: i1, %x26: i1, %x27: i1, %x28: i1, %x29: i1, %x30: i1, %x31: i16,
      %x32: i16, %x33: i16, %x34: i16, %x35: i16, %x36: i16, %x37: i16, %x38: i16, %x39: i16, %x40: i16, %x41: i16,
      %x42: i16, %x43: i16, %x44: i16, %x45: i16, %x46: i16, %x47: i16, %x48: i16, %x49: i16, %x50: i16, %x51: i16,
      %x52: i1, %x53: i1, %x54: i1, %x55: i1, %x56: i1, %x57: i1, %x58: i1, %x59: i1, %x60: i1, %x61: i1, %x62: i32,
      %x63: i32, %x64: i32, %x65: i32, %x66: i32, %x67: i32, %x68: i32, %x69: i32, %x70: i32, %x71: i32, %x72: i32,
      %x73: i32, %x74: i32, %x75: i32, %x76: i32, %x77: i32, %x78: i32, %x79: i32, %x80: i32, %x81: i32, %x82: i32,
      %x83: i1, %x84: i1, %x85: i1, %x86: i1, %x87: i1, %x88: i1, %x89: i1, %x90: i1, %x91: i1, %x92: i1, %x93: i64,
      %x94: i64, %x95: i64, %x96: i64, %x97: i64, %x98: i64, %x99: i64, %x100: i64, %x101: i64, %x102: i64, %x103:
      i64, %x104: i64, %x105: i64, %x106: i64, %x107: i64, %x108: i64, %x109: i64, %x110: i64, %x111: i64, %x112:
      i64, %x113: i64, %x114: i1, %x115: i1, %x116: i1, %x117: i1, %x118: i1, %x119: i1, %x120: i1, %x121: i1,
      %x122: i1, %x123: i1, %x124: i64, %x125: i64, %x126: i64, %x127: i64, %x128: i64, %x129: i64, %x130: i64,
      %x131: i64, %x132: i64, %x133: i64, %x134: i64, %x135: i64, %x136: i64, %x137: i64, %x138: i64, %x139: i64,
      %x140: i64, %x141: i64, %x142: i64, %x143: i64, %x144: i64, %x145: i64, %x146: i64, %x147: i64, %x148: i1,
      %x149: i1, %x150: i1, %x151: i1, %x152: i1, %x153: i1, %x154: i1, %x155: i8, %x156: i8, %x157: i32, %x158:
      i32, %x159: i64, %x160: i64, %x161: i1, %x162: i32, %x163: i8, %x164: i64, %x165: i64, %x166: i32, %x167: i16,
      %x168: f16, %x169: f16, %x170: f16, %x171: f16, %x172: f16, %x173: f16, %x174: f16, %x175: f16, %x176: bf16,
      %x177: bf16, %x178: bf16, %x179: bf16, %x180: bf16, %x181: bf16, %x182: bf16, %x183: bf16, %x184: tf32, %x185:
      tf32, %x186: tf32, %x187: tf32, %x188: tf32, %x189: tf32, %x190: tf32, %x191: tf32, %x192: f32, %x193: f32,
      %x194: f32, %x195: f32, %x196: f32, %x197: f32, %x198: f32, %x199: f32, %x200: f64, %x201: f64, %x202: f64,
      %x203: f64, %x204: f64, %x205: f64, %x206: f64, %x207: f64, %x208: f32, %x209: f32, %x210: f32, %x211: f32,
      %x212: f32, %x213: f32, %x214: f32, %x215: i1, %x216: i1, %x217: i1, %x218: i1, %x219: i1, %x220: i1, %x221:
      i1, %x222: i1, %x223: i1, %x224: i1, %x225: i1, %x226: i1, %x227: i1, %x228: i1, %x229: i1, %x230: i1, %x231:
      f32, %x232: f64, %x233: f64, %x234: f64, %x235: f64, %x236: f64, %x237: f64, %x238: f64, %x239: i1, %x240: i1,
      %x241: i1, %x242: i1, %x243: i1, %x244: i1, %x245: i1, %x246: i1, %x247: i1, %x248: i1, %x249: i1, %x250: i1,
      %x251: i1, %x252: i1, %x253: i1, %x254: i1, %x255: f64, %x256: f16, %x257: f16, %x258: f16, %x259: f16, %x260:
      f16, %x261: f16, %x262: f16, %x263: i1, %x264: i1, %x265: i1, %x266: i1, %x267: i1, %x268: i1, %x269: i1,
      %x270: i1, %x271: i1, %x272: i1, %x273: i1, %x274: i1, %x275: i1, %x276: i1, %x277: i1, %x278: i1, %x279: f16,
      %x280: f32, %x281: f32, %x282: f32, %x283: f32, %x284: f32, %x285: f32, %x286: f32, %x287: f32, %x288: f32,
      %x289: f32, %x290: f32, %x291: f32, %x292: f32, %x293: f32, %x294: f32, %x295: f32, %x296: f32, %x297: f32,
      %x298: f64, %x299: f64, %x300: f64, %x301: f64, %x302: f64, %x303: f64, %x304: f64, %x305: f64, %x306: f64,
      %x307: f64, %x308: f64, %x309: f64, %x310: f64, %x311: f64, %x312: f64, %x313: f64, %x314: f64, %x315: f64,
      %x316: f16, %x317: f16, %x318: bf16, %x319: bf16, %x320: tf32, %x321: tf32, %x322: f32, %x323: f32, %x324:
      f64, %x325: f32, %x326: f64, %x327: f32, %x328: f64, %x329: f32, %x330: f64, %x331: f32, %x332: f64, %x333:
      i8, %x334: i8, %x335: i16, %x336: i16, %x337: i32, %x338: i32, %x339: i64, %x340: i64, %x341: f8E4M3FN, %x342:
      f8E5M2, %x343: i8, %x344: i8, %x345: i16, %x346: i16, %x347: i32, %x348: i32, %x349: i64, %x350: i64, %x351:
      f8E4M3FN, %x352: f8E5M2, %x353: i8, %x354: i8, %x355: i16, %x356: i16, %x357: i32, %x358: i32, %x359: i64,
      %x360: i64, %x361: f8E4M3FN, %x362: f8E5M2, %x363: i32, %x364: i64, %x365: i16, %x366: i16, %x367: f32, %x368:
      f64, %x369: f16, %x370: bf16, %x371: i8, %x372: f8E5M2, %x373: i64, %x374: f16, %x375: i64, %x376: i64, %x377:
      f32, %x378: f32, %x379: f32, %x380: f32, %x381: f32, %x382: f32, %x383: f64, %x384: f64, %x385: f64, %x386:
      f16, %x387: f16, %x388: f16, %x389: bf16, %x390: i64, %x391: f32, %x392: i64, %x393: i64, %x394: i64, %x395:
      i64, %x396: i64, %x397: i64, %x398: i32, %x399: i32, %x400: i8, %x401: i16, %x402: f32, %x403: f64, %x404:
      f16, %x405: bf16, %x406: tf32, %x407: f8E4M3FN, %x408: f8E5M2, %x409: i1, %x410: f32, %x411: f64, %x412: f16,
      %x413: i64)
      {
    %one = arith.constant 1 : i64
    tile.grid (%bx) in (%one) threads(32) {
      tile.yield
    }
    tile.return
  }
  tile.entry @all(%a: i64, %b: i64, %c: i32, %d: i32, %e: i8, %s: i16, %f: f32, %g: f64, %h: f16, %k: bf16, %t:
      tf32, %q: f8E4M3FN, %r: f8E5M2, %p: i1, %f2: f32, %g2: f64, %h2: f16) params [
      #tile.scalar_param<name = "a", type = i64>,
      #tile.scalar_param<name = "b", type = i64>,
      #tile.scalar_param<name = "c", type = i32>,
      #tile.scalar_param<name = "d", type = ui32>,
      #tile.scalar_param<name = "e", type = i8>,
      #tile.scalar_param<name = "s", type = i16>,
      #tile.scalar_param<name = "f", type = f32>,
      #tile.scalar_param<name = "g", type = f64>,
      #tile.scalar_param<name = "h", type = f16>,
      #tile.scalar_param<name = "k", type = bf16>,
      #tile.scalar_param<name = "t", type = tf32>,
      #tile.scalar_param<name = "q", type = f8E4M3FN>,
      #tile.scalar_param<name = "r", type = f8E5M2>,
      #tile.scalar_param<name = "p", type = i1>,
      #tile.scalar_param<name = "f2", type = f32>,
      #tile.scalar_param<name = "g2", type = f64>,
      #tile.scalar_param<name = "h2", type = f16>] {
    %p2 = arith.cmpi slt, %a, %b : i64
    %true = arith.constant true
    %e2 = arith.trunci %b : i64 to i8
    %s2 = arith.trunci %a : i64 to i16
    %mi8 = arith.constant 7 : i8
    %ni8 = arith.andi %e2, %mi8 : i8
    %v0 = arith.addi %e, %e2 : i8
    %v1 = arith.subi %e, %e2 : i8
    %v2 = arith.muli %e, %e2 : i8
    %v3 = arith.divsi %e, %e2 : i8
    %v4 = arith.divui %e, %e2 : i8
    %v5 = arith.remsi %e, %e2 : i8
    %v6 = arith.remui %e, %e2 : i8
    %v7 = arith.ceildivsi %e, %e2 : i8
    %v8 = arith.ceildivui %e, %e2 : i8
    %v9 = arith.floordivsi %e, %e2 : i8
    %v10 = arith.andi %e, %e2 : i8
    %v11 = arith.ori %e, %e2 : i8
    %v12 = arith.xori %e, %e2 : i8
    %v13 = arith.minsi %e, %e2 : i8
    %v14 = arith.maxsi %e, %e2 : i8
    %v15 = arith.minui %e, %e2 : i8
    %v16 = arith.maxui %e, %e2 : i8
    %v17 = arith.shli %e, %ni8 : i8
    %v18 = arith.shrsi %e, %ni8 : i8
    %v19 = arith.shrui %e, %ni8 : i8
    %v20 = math.absi %e : i8
    %v21 = arith.cmpi eq, %e, %e2 : i8
    %v22 = arith.cmpi ne, %e, %e2 : i8
    %v23 = arith.cmpi slt, %e, %e2 : i8
    %v24 = arith.cmpi sle, %e, %e2 : i8
    %v25 = arith.cmpi sgt, %e, %e2 : i8
    %v26 = arith.cmpi sge, %e, %e2 : i8
    %v27 = arith.cmpi ult, %e, %e2 : i8
    %v28 = arith.cmpi ule, %e, %e2 : i8
    %v29 = arith.cmpi ugt, %e, %e2 : i8
    %v30 = arith.cmpi uge, %e, %e2 : i8
    %mi16 = arith.constant 15 : i16
    %ni16 = arith.andi %s2, %mi16 : i16
    %v31 = arith.addi %s, %s2 : i16
    %v32 = arith.subi %s, %s2 : i16
    %v33 = arith.muli %s, %s2 : i16
    %v34 = arith.divsi %s, %s2 : i16
    %v35 = arith.divui %s, %s2 : i16
    %v36 = arith.remsi %s, %s2 : i16
    %v37 = arith.remui %s, %s2 : i16
    %v38 = arith.ceildivsi %s, %s2 : i16
    %v39 = arith.ceildivui %s, %s2 : i16
    %v40 = arith.floordivsi %s, %s2 : i16
    %v41 = arith.andi %s, %s2 : i16
    %v42 = arith.ori %s, %s2 : i16
    %v43 = arith.xori %s, %s2 : i16
    %v44 = arith.minsi %s, %s2 : i16
    %v45 = arith.maxsi %s, %s2 : i16
    %v46 = arith.minui %s, %s2 : i16
    %v47 = arith.maxui %s, %s2 : i16
    %v48 = arith.shli %s, %ni16 : i16
    %v49 = arith.shrsi %s, %ni16 : i16
    %v50 = arith.shrui %s, %ni16 : i16
    %v51 = math.absi %s : i16
    %v52 = arith.cmpi eq, %s, %s2 : i16
    %v53 = arith.cmpi ne, %s, %s2 : i16
    %v54 = arith.cmpi slt, %s, %s2 : i16
    %v55 = arith.cmpi sle, %s, %s2 : i16
    %v56 = arith.cmpi sgt, %s, %s2 : i16
    %v57 = arith.cmpi sge, %s, %s2 : i16
    %v58 = arith.cmpi ult, %s, %s2 : i16
    %v59 = arith.cmpi ule, %s, %s2 : i16
    %v60 = arith.cmpi ugt, %s, %s2 : i16
    %v61 = arith.cmpi uge, %s, %s2 : i16
    %mi32 = arith.constant 31 : i32
    %ni32 = arith.andi %d, %mi32 : i32
    %v62 = arith.addi %c, %d : i32
    %v63 = arith.subi %c, %d : i32
    %v64 = arith.muli %c, %d : i32
    %v65 = arith.divsi %c, %d : i32
    %v66 = arith.divui %c, %d : i32
    %v67 = arith.remsi %c, %d : i32
    %v68 = arith.remui %c, %d : i32
    %v69 = arith.ceildivsi %c, %d : i32
    %v70 = arith.ceildivui %c, %d : i32
    %v71 = arith.floordivsi %c, %d : i32
    %v72 = arith.andi %c, %d : i32
    %v73 = arith.ori %c, %d : i32
    %v74 = arith.xori %c, %d : i32
    %v75 = arith.minsi %c, %d : i32
    %v76 = arith.maxsi %c, %d : i32
    %v77 = arith.minui %c, %d : i32
    %v78 = arith.maxui %c, %d : i32
    %v79 = arith.shli %c, %ni32 : i32
    %v80 = arith.shrsi %c, %ni32 : i32
    %v81 = arith.shrui %c, %ni32 : i32
    %v82 = math.absi %c : i32
    %v83 = arith.cmpi eq, %c, %d : i32
    %v84 = arith.cmpi ne, %c, %d : i32
    %v85 = arith.cmpi slt, %c, %d : i32
    %v86 = arith.cmpi sle, %c, %d : i32
    %v87 = arith.cmpi sgt, %c, %d : i32
    %v88 = arith.cmpi sge, %c, %d : i32
    %v89 = arith.cmpi ult, %c, %d : i32
    %v90 = arith.cmpi ule, %c, %d : i32
    %v91 = arith.cmpi ugt, %c, %d : i32
    %v92 = arith.cmpi uge, %c, %d : i32
    %mi64 = arith.constant 63 : i64
    %ni64 = arith.andi %b, %mi64 : i64
    %v93 = arith.addi %a, %b : i64
    %v94 = arith.subi %a, %b : i64
    %v95 = arith.muli %a, %b : i64
    %v96 = arith.divsi %a, %b : i64
    %v97 = arith.divui %a, %b : i64
    %v98 = arith.remsi %a, %b : i64
    %v99 = arith.remui %a, %b : i64
    %v100 = arith.ceildivsi %a, %b : i64
    %v101 = arith.ceildivui %a, %b : i64
    %v102 = arith.floordivsi %a, %b : i64
    %v103 = arith.andi %a, %b : i64
    %v104 = arith.ori %a, %b : i64
    %v105 = arith.xori %a, %b : i64
    %v106 = arith.minsi %a, %b : i64
    %v107 = arith.maxsi %a, %b : i64
    %v108 = arith.minui %a, %b : i64
    %v109 = arith.maxui %a, %b : i64
    %v110 = arith.shli %a, %ni64 : i64
    %v111 = arith.shrsi %a, %ni64 : i64
    %v112 = arith.shrui %a, %ni64 : i64
    %v113 = math.absi %a : i64
    %v114 = arith.cmpi eq, %a, %b : i64
    %v115 = arith.cmpi ne, %a, %b : i64
    %v116 = arith.cmpi slt, %a, %b : i64
    %v117 = arith.cmpi sle, %a, %b : i64
    %v118 = arith.cmpi sgt, %a, %b : i64
    %v119 = arith.cmpi sge, %a, %b : i64
    %v120 = arith.cmpi ult, %a, %b : i64
    %v121 = arith.cmpi ule, %a, %b : i64
    %v122 = arith.cmpi ugt, %a, %b : i64
    %v123 = arith.cmpi uge, %a, %b : i64
    %c7 = arith.constant 7 : i64
    %cm3 = arith.constant -3 : i64
    %cm1 = arith.constant -1 : i64
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %min = arith.constant -9223372036854775808 : i64
    %big = arith.constant 123456789012345 : i64
    %v124 = arith.divsi %a, %c7 : i64
    %v125 = arith.remsi %a, %c7 : i64
    %v126 = arith.ceildivsi %a, %c7 : i64
    %v127 = arith.subi %c7, %b : i64
    %v128 = arith.divsi %a, %cm3 : i64
    %v129 = arith.remsi %a, %cm3 : i64
    %v130 = arith.ceildivsi %a, %cm3 : i64
    %v131 = arith.subi %cm3, %b : i64
    %v132 = arith.divsi %a, %cm1 : i64
    %v133 = arith.remsi %a, %cm1 : i64
    %v134 = arith.ceildivsi %a, %cm1 : i64
    %v135 = arith.subi %cm1, %b : i64
    %v136 = arith.divsi %a, %c0 : i64
    %v137 = arith.remsi %a, %c0 : i64
    %v138 = arith.ceildivsi %a, %c0 : i64
    %v139 = arith.subi %c0, %b : i64
    %v140 = arith.divsi %a, %min : i64
    %v141 = arith.remsi %a, %min : i64
    %v142 = arith.ceildivsi %a, %min : i64
    %v143 = arith.subi %min, %b : i64
    %v144 = arith.divsi %a, %big : i64
    %v145 = arith.remsi %a, %big : i64
    %v146 = arith.ceildivsi %a, %big : i64
    %v147 = arith.subi %big, %b : i64
    %v148 = arith.andi %p, %p2 : i1
    %v149 = arith.ori %p, %p2 : i1
    %v150 = arith.xori %p, %p2 : i1
    %v151 = arith.xori %p, %true : i1
    %v152 = arith.cmpi eq, %p, %p2 : i1
    %v153 = arith.cmpi slt, %p, %p2 : i1
    %v154 = arith.cmpi ult, %p, %p2 : i1
    %v155 = arith.extsi %p : i1 to i8
    %v156 = arith.extui %p : i1 to i8
    %v157 = arith.extsi %p : i1 to i32
    %v158 = arith.extui %p : i1 to i32
    %v159 = arith.extsi %p : i1 to i64
    %v160 = arith.extui %p : i1 to i64
    %v161 = arith.trunci %a : i64 to i1
    %v162 = arith.trunci %a : i64 to i32
    %v163 = arith.trunci %c : i32 to i8
    %v164 = arith.extsi %c : i32 to i64
    %v165 = arith.extui %d : i32 to i64
    %v166 = arith.extsi %e : i8 to i32
    %v167 = arith.extui %e : i8 to i16
    %v168 = arith.sitofp %a : i64 to f16
    %v169 = arith.uitofp %a : i64 to f16
    %v170 = arith.sitofp %c : i32 to f16
    %v171 = arith.uitofp %c : i32 to f16
    %v172 = arith.sitofp %e : i8 to f16
    %v173 = arith.uitofp %e : i8 to f16
    %v174 = arith.sitofp %p : i1 to f16
    %v175 = arith.uitofp %p : i1 to f16
    %v176 = arith.sitofp %a : i64 to bf16
    %v177 = arith.uitofp %a : i64 to bf16
    %v178 = arith.sitofp %c : i32 to bf16
    %v179 = arith.uitofp %c : i32 to bf16
    %v180 = arith.sitofp %e : i8 to bf16
    %v181 = arith.uitofp %e : i8 to bf16
    %v182 = arith.sitofp %p : i1 to bf16
    %v183 = arith.uitofp %p : i1 to bf16
    %v184 = arith.sitofp %a : i64 to tf32
    %v185 = arith.uitofp %a : i64 to tf32
    %v186 = arith.sitofp %c : i32 to tf32
    %v187 = arith.uitofp %c : i32 to tf32
    %v188 = arith.sitofp %e : i8 to tf32
    %v189 = arith.uitofp %e : i8 to tf32
    %v190 = arith.sitofp %p : i1 to tf32
    %v191 = arith.uitofp %p : i1 to tf32
    %v192 = arith.sitofp %a : i64 to f32
    %v193 = arith.uitofp %a : i64 to f32
    %v194 = arith.sitofp %c : i32 to f32
    %v195 = arith.uitofp %c : i32 to f32
    %v196 = arith.sitofp %e : i8 to f32
    %v197 = arith.uitofp %e : i8 to f32
    %v198 = arith.sitofp %p : i1 to f32
    %v199 = arith.uitofp %p : i1 to f32
    %v200 = arith.sitofp %a : i64 to f64
    %v201 = arith.uitofp %a : i64 to f64
    %v202 = arith.sitofp %c : i32 to f64
    %v203 = arith.uitofp %c : i32 to f64
    %v204 = arith.sitofp %e : i8 to f64
    %v205 = arith.uitofp %e : i8 to f64
    %v206 = arith.sitofp %p : i1 to f64
    %v207 = arith.uitofp %p : i1 to f64
    %v208 = arith.addf %f, %f2 : f32
    %v209 = arith.subf %f, %f2 : f32
    %v210 = arith.mulf %f, %f2 : f32
    %v211 = arith.divf %f, %f2 : f32
    %v212 = arith.maxnumf %f, %f2 : f32
    %v213 = arith.minnumf %f, %f2 : f32
    %v214 = arith.negf %f : f32
    %v215 = arith.cmpf oeq, %f, %f2 : f32
    %v216 = arith.cmpf ogt, %f, %f2 : f32
    %v217 = arith.cmpf oge, %f, %f2 : f32
    %v218 = arith.cmpf olt, %f, %f2 : f32
    %v219 = arith.cmpf ole, %f, %f2 : f32
    %v220 = arith.cmpf one, %f, %f2 : f32
    %v221 = arith.cmpf ord, %f, %f2 : f32
    %v222 = arith.cmpf ueq, %f, %f2 : f32
    %v223 = arith.cmpf ugt, %f, %f2 : f32
    %v224 = arith.cmpf uge, %f, %f2 : f32
    %v225 = arith.cmpf ult, %f, %f2 : f32
    %v226 = arith.cmpf ule, %f, %f2 : f32
    %v227 = arith.cmpf une, %f, %f2 : f32
    %v228 = arith.cmpf uno, %f, %f2 : f32
    %v229 = math.isnan %f : f32
    %v230 = math.isinf %f : f32
    %v231 = math.absf %f : f32
    %v232 = arith.addf %g, %g2 : f64
    %v233 = arith.subf %g, %g2 : f64
    %v234 = arith.mulf %g, %g2 : f64
    %v235 = arith.divf %g, %g2 : f64
    %v236 = arith.maxnumf %g, %g2 : f64
    %v237 = arith.minnumf %g, %g2 : f64
    %v238 = arith.negf %g : f64
    %v239 = arith.cmpf oeq, %g, %g2 : f64
    %v240 = arith.cmpf ogt, %g, %g2 : f64
    %v241 = arith.cmpf oge, %g, %g2 : f64
    %v242 = arith.cmpf olt, %g, %g2 : f64
    %v243 = arith.cmpf ole, %g, %g2 : f64
    %v244 = arith.cmpf one, %g, %g2 : f64
    %v245 = arith.cmpf ord, %g, %g2 : f64
    %v246 = arith.cmpf ueq, %g, %g2 : f64
    %v247 = arith.cmpf ugt, %g, %g2 : f64
    %v248 = arith.cmpf uge, %g, %g2 : f64
    %v249 = arith.cmpf ult, %g, %g2 : f64
    %v250 = arith.cmpf ule, %g, %g2 : f64
    %v251 = arith.cmpf une, %g, %g2 : f64
    %v252 = arith.cmpf uno, %g, %g2 : f64
    %v253 = math.isnan %g : f64
    %v254 = math.isinf %g : f64
    %v255 = math.absf %g : f64
    %v256 = arith.addf %h, %h2 : f16
    %v257 = arith.subf %h, %h2 : f16
    %v258 = arith.mulf %h, %h2 : f16
    %v259 = arith.divf %h, %h2 : f16
    %v260 = arith.maxnumf %h, %h2 : f16
    %v261 = arith.minnumf %h, %h2 : f16
    %v262 = arith.negf %h : f16
    %v263 = arith.cmpf oeq, %h, %h2 : f16
    %v264 = arith.cmpf ogt, %h, %h2 : f16
    %v265 = arith.cmpf oge, %h, %h2 : f16
    %v266 = arith.cmpf olt, %h, %h2 : f16
    %v267 = arith.cmpf ole, %h, %h2 : f16
    %v268 = arith.cmpf one, %h, %h2 : f16
    %v269 = arith.cmpf ord, %h, %h2 : f16
    %v270 = arith.cmpf ueq, %h, %h2 : f16
    %v271 = arith.cmpf ugt, %h, %h2 : f16
    %v272 = arith.cmpf uge, %h, %h2 : f16
    %v273 = arith.cmpf ult, %h, %h2 : f16
    %v274 = arith.cmpf ule, %h, %h2 : f16
    %v275 = arith.cmpf une, %h, %h2 : f16
    %v276 = arith.cmpf uno, %h, %h2 : f16
    %v277 = math.isnan %h : f16
    %v278 = math.isinf %h : f16
    %v279 = math.absf %h : f16
    %v280 = math.exp %f : f32
    %v281 = math.exp2 %f : f32
    %v282 = math.log %f : f32
    %v283 = math.log2 %f : f32
    %v284 = math.sqrt %f : f32
    %v285 = math.rsqrt %f : f32
    %v286 = math.tanh %f : f32
    %v287 = math.erf %f : f32
    %v288 = math.sin %f : f32
    %v289 = math.cos %f : f32
    %v290 = math.floor %f : f32
    %v291 = math.ceil %f : f32
    %v292 = math.round %f : f32
    %v293 = math.trunc %f : f32
    %v294 = math.powf %f, %f2 : f32
    %v295 = math.fma %f, %f2, %f : f32
    %v296 = tile.sigmoid %f : f32
    %v297 = tile.rcp %f : f32
    %v298 = math.exp %g : f64
    %v299 = math.exp2 %g : f64
    %v300 = math.log %g : f64
    %v301 = math.log2 %g : f64
    %v302 = math.sqrt %g : f64
    %v303 = math.rsqrt %g : f64
    %v304 = math.tanh %g : f64
    %v305 = math.erf %g : f64
    %v306 = math.sin %g : f64
    %v307 = math.cos %g : f64
    %v308 = math.floor %g : f64
    %v309 = math.ceil %g : f64
    %v310 = math.round %g : f64
    %v311 = math.trunc %g : f64
    %v312 = math.powf %g, %g2 : f64
    %v313 = math.fma %g, %g2, %g : f64
    %v314 = tile.sigmoid %g : f64
    %v315 = tile.rcp %g : f64
    %v316 = arith.truncf %f : f32 to f16
    %v317 = arith.truncf %g : f64 to f16
    %v318 = arith.truncf %f : f32 to bf16
    %v319 = arith.truncf %g : f64 to bf16
    %v320 = arith.truncf %f : f32 to tf32
    %v321 = arith.truncf %g : f64 to tf32
    %v322 = arith.truncf %g : f64 to f32
    %v323 = arith.extf %h : f16 to f32
    %v324 = arith.extf %h : f16 to f64
    %v325 = arith.extf %k : bf16 to f32
    %v326 = arith.extf %k : bf16 to f64
    %v327 = arith.extf %t : tf32 to f32
    %v328 = arith.extf %t : tf32 to f64
    %v329 = arith.extf %q : f8E4M3FN to f32
    %v330 = arith.extf %q : f8E4M3FN to f64
    %v331 = arith.extf %r : f8E5M2 to f32
    %v332 = arith.extf %r : f8E5M2 to f64
    %v333 = tile.cast %f : f32 -> i8
    %v334 = tile.cast %f {is_unsigned} : f32 -> i8
    %v335 = tile.cast %f : f32 -> i16
    %v336 = tile.cast %f {is_unsigned} : f32 -> i16
    %v337 = tile.cast %f : f32 -> i32
    %v338 = tile.cast %f {is_unsigned} : f32 -> i32
    %v339 = tile.cast %f : f32 -> i64
    %v340 = tile.cast %f {is_unsigned} : f32 -> i64
    %v341 = tile.cast %f : f32 -> f8E4M3FN
    %v342 = tile.cast %f : f32 -> f8E5M2
    %v343 = tile.cast %g : f64 -> i8
    %v344 = tile.cast %g {is_unsigned} : f64 -> i8
    %v345 = tile.cast %g : f64 -> i16
    %v346 = tile.cast %g {is_unsigned} : f64 -> i16
    %v347 = tile.cast %g : f64 -> i32
    %v348 = tile.cast %g {is_unsigned} : f64 -> i32
    %v349 = tile.cast %g : f64 -> i64
    %v350 = tile.cast %g {is_unsigned} : f64 -> i64
    %v351 = tile.cast %g : f64 -> f8E4M3FN
    %v352 = tile.cast %g : f64 -> f8E5M2
    %v353 = tile.cast %h : f16 -> i8
    %v354 = tile.cast %h {is_unsigned} : f16 -> i8
    %v355 = tile.cast %h : f16 -> i16
    %v356 = tile.cast %h {is_unsigned} : f16 -> i16
    %v357 = tile.cast %h : f16 -> i32
    %v358 = tile.cast %h {is_unsigned} : f16 -> i32
    %v359 = tile.cast %h : f16 -> i64
    %v360 = tile.cast %h {is_unsigned} : f16 -> i64
    %v361 = tile.cast %h : f16 -> f8E4M3FN
    %v362 = tile.cast %h : f16 -> f8E5M2
    %v363 = arith.bitcast %f : f32 to i32
    %v364 = arith.bitcast %g : f64 to i64
    %v365 = arith.bitcast %h : f16 to i16
    %v366 = arith.bitcast %k : bf16 to i16
    %v367 = arith.bitcast %c : i32 to f32
    %v368 = arith.bitcast %a : i64 to f64
    %v369 = arith.bitcast %s : i16 to f16
    %v370 = arith.bitcast %h : f16 to bf16
    %v371 = arith.bitcast %q : f8E4M3FN to i8
    %v372 = arith.bitcast %e : i8 to f8E5M2
    %v373 = arith.select %p, %a, %b : i64
    %v374 = arith.select %p, %h, %h2 : f16
    %lo, %hi = arith.mulsi_extended %a, %b : i64
    %v375 = arith.constant 0.1 : f32
    %v376 = arith.constant -0.0 : f32
    %v377 = arith.constant 1.0e+30 : f32
    %v378 = arith.constant 0x7F800000 : f32
    %v379 = arith.constant 0x7FC00000 : f32
    %v380 = arith.constant -3.0 : f32
    %v381 = arith.constant 0.1 : f64
    %v382 = arith.constant 1.0e-300 : f64
    %v383 = arith.constant 0xFFF0000000000000 : f64
    %v384 = arith.constant 0.333252 : f16
    %v385 = arith.constant 65504.0 : f16
    %v386 = arith.constant 0x7C00 : f16
    %v387 = arith.constant 3.140625 : bf16
    %i:2 = scf.if %p2 -> (i64, f32) {
      %x = arith.addi %a, %c7 : i64
      scf.yield %x, %f : i64, f32
    } else {
      %nested = scf.if %p -> (i64) {
        scf.yield %b : i64
      } else {
        scf.yield %cm3 : i64
      }
      scf.yield %nested, %f2 : i64, f32
    }
    %c100 = arith.constant 100 : i64
    %trips = arith.remui %a, %c100 : i64
    %l:2 = scf.for %it = %cm3 to %trips step %c7 iter_args(%x = %a, %y = %b) -> (i64, i64) : i64 {
      %z = arith.addi %x, %it : i64
      scf.yield %y, %z : i64, i64
    }
    %w:2 = scf.while (%x = %trips, %y = %b) : (i64, i64) -> (i64, i64) {
      %go = arith.cmpi sgt, %x, %c7 : i64
      %z = arith.muli %y, %c7 : i64
      scf.condition(%go) %x, %z : i64, i64
    } do {
    ^bb0(%x: i64, %y: i64):
      %z = arith.divsi %x, %c7 : i64
      %u = arith.xori %y, %x : i64
      scf.yield %z, %u : i64, i64
    }
    %sms = tile.sm_count
    tile.launch @all_kernel grid(%c1) args(%v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7, %v8, %v9, %v10, %v11, %v12, %v13,
        %v14, %v15, %v16, %v17, %v18, %v19, %v20, %v21, %v22, %v23, %v24, %v25, %v26, %v27, %v28, %v29, %v30, %v31,
        %v32, %v33, %v34, %v35, %v36, %v37, %v38, %v39, %v40, %v41, %v42, %v43, %v44, %v45, %v46, %v47, %v48, %v49,
        %v50, %v51, %v52, %v53, %v54, %v55, %v56, %v57, %v58, %v59, %v60, %v61, %v62, %v63, %v64, %v65, %v66, %v67,
        %v68, %v69, %v70, %v71, %v72, %v73, %v74, %v75, %v76, %v77, %v78, %v79, %v80, %v81, %v82, %v83, %v84, %v85,
        %v86, %v87, %v88, %v89, %v90, %v91, %v92, %v93, %v94, %v95, %v96, %v97, %v98, %v99, %v100, %v101, %v102,
        %v103, %v104, %v105, %v106, %v107, %v108, %v109, %v110, %v111, %v112, %v113, %v114, %v115, %v116, %v117,
        %v118, %v119, %v120, %v121, %v122, %v123, %v124, %v125, %v126, %v127, %v128, %v129, %v130, %v131, %v132,
        %v133, %v134, %v135, %v136, %v137, %v138, %v139, %v140, %v141, %v142, %v143, %v144, %v145, %v146, %v147,
        %v148, %v149, %v150, %v151, %v152, %v153, %v154, %v155, %v156, %v157, %v158, %v159, %v160, %v161, %v162,
        %v163, %v164, %v165, %v166, %v167, %v168, %v169, %v170, %v171, %v172, %v173, %v174, %v175, %v176, %v177,
        %v178, %v179, %v180, %v181, %v182, %v183, %v184, %v185, %v186, %v187, %v188, %v189, %v190, %v191, %v192,
        %v193, %v194, %v195, %v196, %v197, %v198, %v199, %v200, %v201, %v202, %v203, %v204, %v205, %v206, %v207,
        %v208, %v209, %v210, %v211, %v212, %v213, %v214, %v215, %v216, %v217, %v218, %v219, %v220, %v221, %v222,
        %v223, %v224, %v225, %v226, %v227, %v228, %v229, %v230, %v231, %v232, %v233, %v234, %v235, %v236, %v237,
        %v238, %v239, %v240, %v241, %v242, %v243, %v244, %v245, %v246, %v247, %v248, %v249, %v250, %v251, %v252,
        %v253, %v254, %v255, %v256, %v257, %v258, %v259, %v260, %v261, %v262, %v263, %v264, %v265, %v266, %v267,
        %v268, %v269, %v270, %v271, %v272, %v273, %v274, %v275, %v276, %v277, %v278, %v279, %v280, %v281, %v282,
        %v283, %v284, %v285, %v286, %v287, %v288, %v289, %v290, %v291, %v292, %v293, %v294, %v295, %v296, %v297,
        %v298, %v299, %v300, %v301, %v302, %v303, %v304, %v305, %v306, %v307, %v308, %v309, %v310, %v311, %v312,
        %v313, %v314, %v315, %v316, %v317, %v318, %v319, %v320, %v321, %v322, %v323, %v324, %v325, %v326, %v327,
        %v328, %v329, %v330, %v331, %v332, %v333, %v334, %v335, %v336, %v337, %v338, %v339, %v340, %v341, %v342,
        %v343, %v344, %v345, %v346, %v347, %v348, %v349, %v350, %v351, %v352, %v353, %v354, %v355, %v356, %v357,
        %v358, %v359, %v360, %v361, %v362, %v363, %v364, %v365, %v366, %v367, %v368, %v369, %v370, %v371, %v372,
        %v373, %v374, %lo, %hi, %v375, %v376, %v377, %v378, %v379, %v380, %v381, %v382, %v383, %v384, %v385, %v386,
        %v387, %i#0, %i#1, %l#0, %l#1, %w#0, %w#1, %a, %b, %c, %d, %e, %s, %f, %g, %h, %k, %t, %q, %r, %p, %f2, %g2,
        %h2, %sms : i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i1, i1, i1, i1,
        i1, i1, i1, i1, i1, i1, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16,
        i16, i16, i16, i16, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i32, i32, i32, i32, i32, i32, i32, i32, i32,
        i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i64,
        i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i1, i1,
        i1, i1, i1, i1, i1, i1, i1, i1, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64,
        i64, i64, i64, i64, i64, i64, i64, i64, i64, i1, i1, i1, i1, i1, i1, i1, i8, i8, i32, i32, i64, i64, i1,
        i32, i8, i64, i64, i32, i16, f16, f16, f16, f16, f16, f16, f16, f16, bf16, bf16, bf16, bf16, bf16, bf16,
        bf16, bf16, tf32, tf32, tf32, tf32, tf32, tf32, tf32, tf32, f32, f32, f32, f32, f32, f32, f32, f32, f64,
        f64, f64, f64, f64, f64, f64, f64, f32, f32, f32, f32, f32, f32, f32, i1, i1, i1, i1, i1, i1, i1, i1, i1,
        i1, i1, i1, i1, i1, i1, i1, f32, f64, f64, f64, f64, f64, f64, f64, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1,
        i1, i1, i1, i1, i1, i1, f64, f16, f16, f16, f16, f16, f16, f16, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1,
        i1, i1, i1, i1, i1, f16, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32,
        f32, f32, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f16,
        f16, bf16, bf16, tf32, tf32, f32, f32, f64, f32, f64, f32, f64, f32, f64, f32, f64, i8, i8, i16, i16, i32,
        i32, i64, i64, f8E4M3FN, f8E5M2, i8, i8, i16, i16, i32, i32, i64, i64, f8E4M3FN, f8E5M2, i8, i8, i16, i16,
        i32, i32, i64, i64, f8E4M3FN, f8E5M2, i32, i64, i16, i16, f32, f64, f16, bf16, i8, f8E5M2, i64, f16, i64,
        i64, f32, f32, f32, f32, f32, f32, f64, f64, f64, f16, f16, f16, bf16, i64, f32, i64, i64, i64, i64, i64,
        i64, i32, i32, i8, i16, f32, f64, f16, bf16, tf32, f8E4M3FN, f8E5M2, i1, f32, f64, f16,
        i64)
    tile.return
  }
}
