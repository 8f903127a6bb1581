# Faults to plant in the GCC plugin, as in mutants.cmake. plugin_mutants_test.cpp says which program
# notices each.

mutant(gcc_structures.cpp "what is passed is not copied" [=[    if (@) continue;
    tree copy]=] [=[!is_hidden(argument)]=] [=[true]=])
mutant(gcc_structures.cpp "what is returned is not copied" [=[  if (@) return false;
  tree copy]=] [=[!is_hidden(result)]=] [=[true]=])
mutant(gcc_structures.cpp "variables of a function are its own" [=[return !is_own || @;]=]
       [=[may_be_aliased(base)]=] [=[false]=])
mutant(gcc_structures.cpp "structures with constructors are copied"
       [=[type == error_mark_node || @) return]=] [=[TREE_ADDRESSABLE(type)]=] [=[false]=])
mutant(gcc_structures.cpp "structures of any size are copied"
       [=[if (@) return false;
  return may]=] [=[int_size_in_bytes(type) < 0]=] [=[false]=])
mutant(gcc_structures.cpp "what is returned by a call that may throw is lost"
       [=[    @;]=] [=[gsi_insert_on_edge_immediate(returns, write)]=]
       [=[basic_block()]=])
mutant(gcc_structures.cpp "the plugin is at work where assignments may throw"
       [=[if (@) return 0;
  register]=] [=[flag_non_call_exceptions != 0]=] [=[false]=])
mutant(gcc_structures.cpp "variables of nested functions are nobody's"
       [=[DECL_NONADDRESSABLE_P(field) = @;]=] [=[0]=] [=[1]=])
mutant(gcc_structures.cpp "what assembly code reads is not announced"
       [=[    @;
  for (unsigned i = 0; i < gimple_asm_noutputs]=]
       [=[announce_operand("__tsan_read_range", TREE_VALUE(gimple_asm_input_op(code, i)), at)]=] [=[void()]=])
mutant(gcc_structures.cpp "what assembly code writes is not announced"
       [=[noutputs(code); ++i)
    @;]=]
       [=[announce_operand("__tsan_write_range", TREE_VALUE(gimple_asm_output_op(code, i)), at)]=] [=[void()]=])
mutant(gcc_structures.cpp "what functions of the machine are given is not announced"
       [=[        @;
        keep_call]=] [=[announce_pointees(call, i)]=] [=[void()]=])
mutant(gcc_structures.cpp "what functions of the machine are given is written"
       [=[announce(@ ? "__tsan_read_range"]=] [=[TYPE_READONLY(pointee)]=] [=[false]=])
mutant(gcc_structures.cpp "any assembly code accesses what it names"
       [=[if (!@) return;
  for]=] [=[has_instructions(code)]=] [=[true]=])
mutant(gcc_structures.cpp "what is copied in any size is copied in line"
       [=[        @;
        const bool passes]=] [=[keep_call(call)]=] [=[void()]=])
mutant(gcc_structures.cpp "blocks do not end"
       [=[if (@ && is_of_a_block]=] [=[ends_storage(statement)]=] [=[false]=])
mutant(gcc_structures.cpp "constants of a block are not known to begin"
       [=[begun = @; begun !=]=] [=[begun_here(statement)]=] [=[tree(NULL_TREE)]=])
mutant(gcc_structures.cpp "blocks that an exception leaves do not end"
       [=[if (last != nullptr && @) continue;]=] [=[gimple_code(last) == GIMPLE_RESX]=] [=[true]=])
