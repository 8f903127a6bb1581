// A plugin for GCC that makes -fsanitize=thread announce structures that functions return and those
// that are passed by value. GCC announces only the accesses of assignments, not those that a call
// makes: for 's = f(a);' it announces neither the read of a nor the write of s. The plugin turns
// this into 'passed = a; returned = f(passed); s = returned;', long before anything is announced or
// optimized. An object whose type may not be copied bit by bit is in memory, and its address is
// passed: it is written by the code of its constructor or of the function.
//
// Nor does GCC announce accesses to variables that nested functions of GNU C share with the
// functions around them. Such variables become members of a structure that are marked as not
// addressable, like bit-fields, from which GCC concludes that no other thread can access them. The
// plugin removes the mark.
//
// Nor does GCC announce what assembly code reads and writes. The operands in memory that the code
// names are announced here, as plain accesses before it: 'incl %0' with "+m"(n) reads and writes n.
// Code without instructions accesses nothing. Also announced is what lies at the addresses that are
// passed to functions of the machine, such as __builtin_ia32_loadhpd(): a read if it is constant
// for the function, and a write otherwise.
//
// Nor does GCC announce where a block ends, and with it the variables of the block: it only marks
// them as clobbered. Where another thread may know of such a variable, the plugin puts a call
// there, as the last thing before accesses are announced, so that it changes nothing of what is
// optimized.
//
// Structures of variable size are copied by memcpy(), for which GCC would put code in line. The
// plugin makes it a call of the function.
//
// A macro tells fencepost_calls.h, and through it the verdict, that the plugin is at work. It is
// not at work in another build of GCC than the one whose headers it was compiled with, nor if
// assignments may throw (-fnon-call-exceptions).

// Each of these needs those before it.
// clang-format off
#include <gcc-plugin.h>
#include <plugin-version.h>
#include <tree.h>
#include <basic-block.h>
#include <context.h>
#include <gimple.h>
#include <gimple-expr.h>
#include <gimple-iterator.h>
#include <gimplify.h>
#include <gimplify-me.h>
#include <ssa.h>
#include <tree-cfg.h>
#include <tree-pass.h>
#include <c-family/c-pragma.h>
// clang-format on

int plugin_is_GPL_compatible;

// Not defined in the compiler of -flto, in whose input all of this has been done before.
// NOLINTBEGIN(readability-redundant-declaration)
[[gnu::weak]] extern cpp_reader* parse_in;
[[gnu::weak]] extern void cpp_define(cpp_reader*, const char*);
[[gnu::weak]] extern cpp_options* cpp_get_options(cpp_reader*);
// NOLINTEND(readability-redundant-declaration)

namespace {

// True unless this is a variable of the function whose address does not leave it.
bool may_be_shared(tree variable) {
  tree base = get_base_address(variable);
  const bool is_own =
      base != NULL_TREE && DECL_P(base) && auto_var_in_fn_p(base, current_function_decl);
  return !is_own || may_be_aliased(base);
}

// Operands of variable size are not announced in assignments either.
bool is_hidden(tree operand) {
  if (operand == NULL_TREE || is_gimple_reg(operand) || is_gimple_min_invariant(operand))
    return false;
  tree type = TREE_TYPE(operand);
  if (type == error_mark_node || TREE_ADDRESSABLE(type)) return false;
  if (int_size_in_bytes(type) < 0) return false;
  return may_be_shared(operand);
}

gassign* assign(tree to, tree from, const gcall* call) {
  gassign* const assignment = gimple_build_assign(to, from);
  gimple_set_location(assignment, gimple_location(call));
  return assignment;
}

tree variable_like(tree operand, const char* name) {
  return create_tmp_var(TYPE_MAIN_VARIANT(TREE_TYPE(operand)), name);
}

bool pass_copies(gcall* call, gimple_stmt_iterator& at) {
  bool changed = false;
  for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
    tree argument = gimple_call_arg(call, i);
    if (!is_hidden(argument)) continue;
    tree copy = variable_like(argument, "passed");
    gsi_insert_before(&at, assign(copy, argument, call), GSI_SAME_STMT);
    gimple_call_set_arg(call, i, copy);
    changed = true;
  }
  return changed;
}

bool return_into_copy(gcall* call, gimple_stmt_iterator& at) {
  tree result = gimple_call_lhs(call);
  if (!is_hidden(result)) return false;
  tree copy = variable_like(result, "returned");
  gimple_call_set_lhs(call, copy);
  gimple_call_set_return_slot_opt(call, false);
  gassign* const write = assign(result, copy, call);
  if (!stmt_ends_bb_p(call))
    gsi_insert_after(&at, write, GSI_SAME_STMT);
  else if (edge returns = find_fallthru_edge(gimple_bb(call)->succs); returns != nullptr)
    gsi_insert_on_edge_immediate(returns, write);  // the call may also throw
  return true;
}

void announce_shared_with_nested_functions(tree operand) {
  for (; operand != NULL_TREE && handled_component_p(operand); operand = TREE_OPERAND(operand, 0)) {
    if (TREE_CODE(operand) != COMPONENT_REF) continue;
    tree field = TREE_OPERAND(operand, 1);
    if (DECL_BIT_FIELD_TYPE(field) == NULL_TREE) DECL_NONADDRESSABLE_P(field) = 0;
  }
}

// True if the operand is in memory that another thread may know of.
bool is_shared_memory(tree operand) {
  return !is_gimple_reg(operand) && !is_gimple_min_invariant(operand) &&
         TREE_CODE(operand) != LABEL_DECL && int_size_in_bytes(TREE_TYPE(operand)) > 0 &&
         may_be_shared(operand);
}

void announce(const char* hook, tree address, tree type, gimple_stmt_iterator& before) {
  tree const function = build_fn_decl(
      hook, build_function_type_list(void_type_node, ptr_type_node, size_type_node, NULL_TREE));
  gcall* const call = gimple_build_call(function, 2, address, TYPE_SIZE_UNIT(type));
  gimple_set_location(call, gimple_location(gsi_stmt(before)));
  gsi_insert_before(&before, call, GSI_SAME_STMT);
}

void announce_operand(const char* hook, tree operand, gimple_stmt_iterator& before) {
  if (!is_shared_memory(operand)) return;
  tree const address = force_gimple_operand_gsi(
      &before, build_fold_addr_expr(unshare_expr(operand)), true, NULL_TREE, true, GSI_SAME_STMT);
  announce(hook, address, TREE_TYPE(operand), before);
}

// Functions that get an address of unknown size, such as __builtin_ia32_clflush(), read no value.
void announce_pointees(const gcall* call, gimple_stmt_iterator& at) {
  tree const function = gimple_call_fndecl(call);
  if (function == NULL_TREE || !fndecl_built_in_p(function, BUILT_IN_MD)) return;
  unsigned i = 0;
  for (tree p = TYPE_ARG_TYPES(TREE_TYPE(function)); p != NULL_TREE; p = TREE_CHAIN(p), ++i) {
    tree const type = TREE_VALUE(p);
    if (!POINTER_TYPE_P(type) || i == gimple_call_num_args(call)) continue;
    tree const pointee = TREE_TYPE(type);
    if (int_size_in_bytes(pointee) > 0)
      announce(TYPE_READONLY(pointee) ? "__tsan_read_range" : "__tsan_write_range",
               gimple_call_arg(call, i), pointee, at);
  }
}

bool has_instructions(const gasm* code) {
  const char* const text = gimple_asm_string(code);
  return text[strspn(text, " \t\n;")] != '\0';
}

void announce_operands(const gasm* code, gimple_stmt_iterator& at) {
  if (!has_instructions(code)) return;
  for (unsigned i = 0; i < gimple_asm_ninputs(code); ++i)
    announce_operand("__tsan_read_range", TREE_VALUE(gimple_asm_input_op(code, i)), at);
  for (unsigned i = 0; i < gimple_asm_noutputs(code); ++i)
    announce_operand("__tsan_write_range", TREE_VALUE(gimple_asm_output_op(code, i)), at);
}

// What the compiler itself has made a call of; the program's own calls have other names
// (fencepost_calls.h).
void keep_call(gcall* call) {
  const char* const name = gimple_call_builtin_p(call, BUILT_IN_MEMCPY)    ? "memcpy"
                           : gimple_call_builtin_p(call, BUILT_IN_MEMMOVE) ? "memmove"
                           : gimple_call_builtin_p(call, BUILT_IN_MEMSET)  ? "memset"
                                                                           : nullptr;
  if (name == nullptr) return;
  gimple_call_set_fndecl(call, build_fn_decl(name, TREE_TYPE(gimple_call_fndecl(call))));
  update_stmt(call);
}

const pass_data description = {
    GIMPLE_PASS, "fencepost_structures", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0,
    0,           TODO_update_ssa};

class structures_pass : public gimple_opt_pass {
 public:
  explicit structures_pass(gcc::context* c) : gimple_opt_pass(description, c) {}
  opt_pass* clone() override { return new structures_pass(m_ctxt); }
  bool gate(function*) override { return (flag_sanitize & SANITIZE_THREAD) != 0; }

  unsigned execute(function* f) override {
    basic_block block;
    FOR_EACH_BB_FN(block, f) {
      for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
        for (unsigned n = 0; n < gimple_num_ops(gsi_stmt(i)); ++n)
          announce_shared_with_nested_functions(gimple_op(gsi_stmt(i), n));
        if (const gasm* const code = dyn_cast<gasm*>(gsi_stmt(i))) announce_operands(code, i);
        gcall* const call = dyn_cast<gcall*>(gsi_stmt(i));
        if (call == nullptr || gimple_call_internal_p(call)) continue;
        announce_pointees(call, i);
        keep_call(call);
        const bool passes = pass_copies(call, i);
        const bool returns = return_into_copy(call, i);
        if (passes || returns) update_stmt(call);
      }
    }
    return 0;
  }
};

bool ends_storage(const gimple* statement) {
#if GCCPLUGIN_VERSION >= 14000
  return gimple_clobber_p(statement, CLOBBER_STORAGE_END);
#elif GCCPLUGIN_VERSION >= 12000
  return gimple_clobber_p(statement, CLOBBER_EOL);
#else
  return gimple_clobber_p(statement);
#endif
}

// True for a variable of a block that has a known size, and that another thread may know of.
bool is_of_a_block(tree variable) {
  return variable != NULL_TREE && VAR_P(variable) &&
         auto_var_in_fn_p(variable, current_function_decl) && may_be_aliased(variable) &&
         int_size_in_bytes(TREE_TYPE(variable)) > 0;
}

// The constant, or a part of it, that is initialized here, which GCC does not announce: in each
// turn of a loop it begins again. Null if there is none.
tree begun_here(const gimple* statement) {
  if (!gimple_assign_single_p(statement) || gimple_clobber_p(statement)) return NULL_TREE;
  tree const part = gimple_assign_lhs(statement);
  tree const variable = get_base_address(part);
  if (!is_of_a_block(variable) || !TREE_READONLY(variable)) return NULL_TREE;
  const bool is_bits = TREE_CODE(part) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(part, 1));
  return is_bits ? variable : part;
}

const pass_data description_of_blocks = {
    GIMPLE_PASS, "fencepost_blocks", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0,
    0,           TODO_update_ssa};

class blocks_pass : public gimple_opt_pass {
 public:
  explicit blocks_pass(gcc::context* c) : gimple_opt_pass(description_of_blocks, c) {}
  opt_pass* clone() override { return new blocks_pass(m_ctxt); }
  bool gate(function*) override { return (flag_sanitize & SANITIZE_THREAD) != 0; }

  unsigned execute(function* f) override {
    basic_block block;
    FOR_EACH_BB_FN(block, f) {
      const gimple* const last = last_stmt(block);
      // Where an exception passes through and nothing else happens, GCC removes the block.
      if (last != nullptr && gimple_code(last) == GIMPLE_RESX) continue;
      for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
        const gimple* const statement = gsi_stmt(i);
        if (ends_storage(statement) && is_of_a_block(gimple_assign_lhs(statement)))
          announce_operand("__fencepost_variable_ends", gimple_assign_lhs(statement), i);
        else if (tree const begun = begun_here(statement); begun != NULL_TREE)
          announce_operand("__tsan_write_range", begun, i);
      }
    }
    return 0;
  }
};

// Called before the file is read. A preprocessed file has been told already (-save-temps).
void say_that_it_is_at_work(void*, void*) {
  if (!cpp_get_options(parse_in)->preprocessed) cpp_define(parse_in, "__FENCEPOST_STRUCTURES");
}

}  // namespace

int plugin_init(plugin_name_args* plugin_info, plugin_gcc_version* version) {
  if (&parse_in == nullptr || !plugin_default_version_check(version, &gcc_version)) return 0;
  if (flag_non_call_exceptions != 0) return 0;
  register_pass_info where{};
  where.pass = new structures_pass(g);
  where.reference_pass_name = "ssa";
  where.pos_op = PASS_POS_INSERT_AFTER;
  register_callback(plugin_info->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &where);
  // The pass that announces accesses has two names: with and without optimization.
  for (const char* const announces : {"tsan", "tsan0"}) {
    where.pass = new blocks_pass(g);
    where.reference_pass_name = announces;
    where.pos_op = PASS_POS_INSERT_BEFORE;
    register_callback(plugin_info->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &where);
  }
  register_callback(plugin_info->base_name, PLUGIN_PRAGMAS, say_that_it_is_at_work, nullptr);
  return 0;
}
